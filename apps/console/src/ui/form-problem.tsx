import { CircleX } from 'lucide-react';
import { faultsAt, type FieldFault } from '../api/form-faults.js';
import { problemOf } from '../api/problem.js';
import { Faults } from './faults.js';

/** A refused form: the words of the service, the faults that stand at no field, and where the others are. */
export function FormProblem({
  error,
  marked,
  rest,
}: {
  readonly error: unknown;
  /** Number of faults that are shown at fields of the form. */
  readonly marked: number;
  readonly rest: readonly FieldFault[];
}) {
  if (error === null || error === undefined) return null;
  const problem = problemOf(error);
  return (
    <div role="alert" className="flex items-start gap-2 border-b border-line bg-failed-soft px-4 py-2">
      <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-failed" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p>
          <span className="font-semibold">Not saved:</span>{' '}
          {problem.detail === '' ? problem.title : problem.detail}
          {marked > 0 && ` (${marked} ${marked === 1 ? 'fault is' : 'faults are'} marked below)`}
        </p>
        <Faults faults={faultsAt(rest)} />
        {problem.requestId !== null && (
          <p className="text-sm text-muted">
            Request <span className="font-mono break-all">{problem.requestId}</span>
          </p>
        )}
      </div>
    </div>
  );
}
