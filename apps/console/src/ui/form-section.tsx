import type { ReactNode } from 'react';

/** Part of a form: its name and meaning on the left, its fields on the right; one below the other where it is narrow. */
export function FormSection({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className="grid gap-x-8 gap-y-3 border-b border-line px-4 py-5 lg:grid-cols-[13rem_minmax(0,48rem)]"
    >
      <header>
        <h2 className="font-semibold">{title}</h2>
        {about !== undefined && <p className="mt-1 text-sm text-muted">{about}</p>}
        {actions !== undefined && <div className="mt-2 flex gap-2">{actions}</div>}
      </header>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  );
}
