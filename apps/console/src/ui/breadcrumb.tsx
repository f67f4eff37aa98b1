import { Fragment, type ReactNode } from 'react';

/** Name of a thing behind the lists that it is in; the last part is the thing itself. */
export function Breadcrumb({ parts }: { readonly parts: readonly ReactNode[] }) {
  return (
    <h1 className="flex min-w-0 flex-1 basis-64 items-center gap-1.5 text-lg font-semibold">
      {parts.map((part, index) => (
        // The parts of a place never change their order.
        <Fragment key={index}>
          {index > 0 && (
            <span aria-hidden className="text-muted">
              /
            </span>
          )}
          {part}
        </Fragment>
      ))}
    </h1>
  );
}
