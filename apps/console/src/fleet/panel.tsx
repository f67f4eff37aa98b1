import type { ReactNode } from 'react';

/** A named part of the page. */
export function Panel({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className="min-w-0 border-line max-lg:not-first:border-t lg:not-first:border-l"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-3 border-b border-line px-4 py-1">
        <h2 className="font-semibold">{title}</h2>
        {note}
      </header>
      {children}
    </section>
  );
}
