import type { ReactNode } from 'react';

/** Facts on one thing, side by side as long as there is room. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="flex flex-wrap gap-x-6 gap-y-1">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
