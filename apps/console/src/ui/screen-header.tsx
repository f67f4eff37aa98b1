import type { ReactNode } from 'react';

/** First line of a screen: its name, and what belongs to all of it. */
export function ScreenHeader({
  title,
  children,
}: {
  readonly title: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2">
      <h1 className="text-lg font-semibold">{title}</h1>
      {children}
    </header>
  );
}
