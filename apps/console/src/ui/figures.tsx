import type { ReactNode } from 'react';

/** Numbers side by side, each under its name, with a note below. */
export function Figures({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <dl
      aria-label={label}
      className="grid shrink-0 grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-x-6 gap-y-3 px-4 py-3"
    >
      {children}
    </dl>
  );
}

export function Figure({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-sm text-muted">{name}</dt>
      <dd className="text-lg font-semibold">{value}</dd>
      {note !== undefined && <dd className="text-sm text-muted">{note}</dd>}
    </div>
  );
}
