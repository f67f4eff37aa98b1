import type { ReactNode } from 'react';
import { clsx } from 'clsx';

interface WithInspectorProps {
  /** Inspector of the row that is open; null or false where none is. */
  readonly inspector: ReactNode;
  readonly children: ReactNode;
}

/** A list with its inspector: beside it, or below it on a narrow page, where both keep a height and the page scrolls. */
export function WithInspector({ inspector, children }: WithInspectorProps) {
  const isOpen = inspector !== null && inspector !== false;
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
      <div
        className={clsx(
          'flex min-h-0 min-w-0 flex-1 flex-col',
          isOpen ? 'max-md:min-h-[40dvh]' : 'max-md:min-h-[60dvh]',
        )}
      >
        {children}
      </div>
      {inspector}
    </div>
  );
}
