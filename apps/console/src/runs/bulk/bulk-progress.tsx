import { Link } from '@tanstack/react-router';
import { shortId } from '../../format/ids.js';
import { Button } from '../../ui/button.js';
import { BULK_WORDS, type BulkAction } from './bulk-action.js';
import type { BulkFailure } from './run-bulk.js';
import type { BulkProgress } from './use-bulk.js';

interface BulkProgressViewProps {
  readonly action: BulkAction;
  readonly progress: BulkProgress;
  readonly onStop: () => void;
  /** Does it for these once more. */
  readonly onAgain: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

/** How far it is, with a way to stop it, and what failed. */
export function BulkProgressView({ action, progress, onStop, onAgain, onClose }: BulkProgressViewProps) {
  const { state, total, done, failures, left } = progress;
  const words = BULK_WORDS[action];
  const settled = done + failures.length;
  const unfinished = [...failures.map(({ id }) => id), ...left];
  return (
    <>
      <progress aria-label={words.running} value={settled} max={Math.max(1, total)} className="h-2 w-full" />
      <p role="status">
        {state === 'over'
          ? `${amount(done)} ${words.done}`
          : `${words.running}: ${amount(settled)} of ${amount(total)}`}
        {failures.length > 0 && `, ${amount(failures.length)} failed`}
        {state === 'over' && left.length > 0 && `, ${amount(left.length)} not begun`}
        {state === 'stopping' && ', stopping …'}
      </p>
      {failures.length > 0 && <Failures failures={failures} />}
      <div className="flex gap-2">
        {state === 'over' ? (
          <>
            <Button key="close" look="primary" autoFocus onClick={onClose}>
              Close
            </Button>
            {unfinished.length > 0 && (
              <Button onClick={() => onAgain(unfinished)}>
                {failures.length > 0 ? 'Try again' : 'Continue'} with {amount(unfinished.length)}
              </Button>
            )}
          </>
        ) : (
          // The keys make each a button of its own, which takes the focus as it comes.
          <Button
            key="stop"
            look="danger"
            autoFocus
            unavailable={state === 'stopping' ? 'It stops once those under way are over' : null}
            onClick={onStop}
          >
            Stop
          </Button>
        )}
      </div>
    </>
  );
}

function Failures({ failures }: { readonly failures: readonly BulkFailure[] }) {
  return (
    <ul aria-label="Failures" tabIndex={0} className="max-h-60 overflow-y-auto rounded-md border border-line">
      {failures.map(({ id, problem }) => (
        <li key={id} className="flex gap-3 border-b border-line px-3 py-1.5 last:border-0">
          <Link to="/runs/$id" params={{ id }} title={id} className="font-mono text-sm hover:underline">
            {shortId(id)}
          </Link>
          <span className="min-w-0 wrap-anywhere text-failed">
            {problem.code !== null && <span className="font-semibold">{problem.code} </span>}
            {problem.message}
          </span>
        </li>
      ))}
    </ul>
  );
}

const amount = (count: number): string => count.toLocaleString('en-US');
