import { useEffect, useRef, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { IconButton } from './button.js';

interface InspectorProps {
  readonly label: string;
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Everything on the row that is open, beside its list, or below it on a narrow page. */
export function Inspector({ label, title, onClose, children }: InspectorProps) {
  const part = useRef<HTMLElement>(null);
  useEffect(() => {
    // The braces keep the promise of newer browsers from being taken for a clean-up of the effect.
    part.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <aside
      ref={part}
      aria-label={label}
      className="flex min-h-0 flex-col overflow-y-auto border-line bg-surface max-lg:h-3/5 max-lg:border-t max-md:min-h-[50dvh] lg:w-md lg:shrink-0 lg:border-l"
    >
      <header className="sticky top-0 z-10 flex items-center gap-2 border-b border-line bg-surface py-1.5 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate font-semibold">{title}</h2>
        <IconButton label="Close (Esc)" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      <div className="flex flex-col gap-3 px-4 py-3">{children}</div>
    </aside>
  );
}
