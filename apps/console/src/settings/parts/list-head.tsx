import type { ReactNode } from 'react';

/** Line above a list of settings: its purpose, and the ways to add to it or to narrow it. */
export function ListHead({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      {children}
    </div>
  );
}
