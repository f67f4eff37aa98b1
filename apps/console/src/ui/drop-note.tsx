import type { ReactNode } from 'react';

/** Says what dropping files here does, while they are held over the element around it. */
export function DropNote({ children }: { readonly children: ReactNode }) {
  return (
    <p className="pointer-events-none absolute inset-2 z-20 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-accent-soft text-lg font-semibold">
      {children}
    </p>
  );
}
