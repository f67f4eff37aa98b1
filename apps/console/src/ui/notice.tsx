import type { ReactNode } from 'react';
import { CircleX } from 'lucide-react';
import { problemOf } from '../api/problem.js';
import { Button } from './button.js';

/** An empty place of a screen: why it is empty, and the next step. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col items-center gap-3 px-4 py-16 text-center">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </div>
  );
}

/** The place of data that is still being read. Its words appear after 0.3 s, so that a fast answer shows no flicker. */
export function Reading() {
  return (
    <p role="status" className="appear-late p-4 text-muted">
      Reading …
    </p>
  );
}

/** A failed request in the words of the service, with the request id for its log. */
export function ProblemNotice({
  error,
  onRetry,
  title = null,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly title?: string | null;
}) {
  const problem = problemOf(error);
  // The only fault of a parameter is the detail already.
  const faults = problem.faults.filter((fault) => fault !== problem.detail);
  return (
    <div role="alert" className="mx-auto my-4 flex w-full max-w-2xl items-start gap-3 px-4">
      <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-failed" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title ?? problem.title}</p>
        <p>{problem.detail}</p>
        {faults.length > 0 && (
          <ul className="list-disc pl-5">
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        )}
        {problem.requestId !== null && (
          <p className="mt-1 text-sm text-muted">
            Request <span className="font-mono break-all">{problem.requestId}</span>
          </p>
        )}
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>Retry</Button>}
    </div>
  );
}

/** A command to copy into a terminal. A keyboard can scroll it where it is long. */
export function Command({ text }: { readonly text: string }) {
  return (
    <pre
      tabIndex={0}
      className="max-w-full overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 text-left font-mono text-sm"
    >
      {text}
    </pre>
  );
}
