import { useState } from 'react';
import { useAgentName } from '../../api/agents.js';
import type { ExecutionSummary } from '../../api/types.js';
import { shortId } from '../../format/ids.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogTitle } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/notice.js';
import { Status } from '../../ui/status.js';
import { Time } from '../../ui/time.js';
import { noteOf } from '../note-of.js';
import { statusesOf, type RunsFilter } from '../runs-filter.js';
import { BULK_WORDS, type BulkAction } from './bulk-action.js';
import { BulkProgressView } from './bulk-progress.js';
import { MAX_RUNS, type FoundRuns } from './find-runs.js';
import { useBulk, useFoundRuns } from './use-bulk.js';

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly filter: RunsFilter;
  readonly onClose: () => void;
}

const SHOWN = 5;

/** Cancels or retries all runs of the filters: shows them first, then asks, then shows how it goes. */
export function BulkDialog({ action, filter, onClose }: BulkDialogProps) {
  const words = BULK_WORDS[action];
  const [isCompletedMeant, setIsCompletedMeant] = useState(false);
  const { found, error, again } = useFoundRuns(action, filter, isCompletedMeant);
  const { progress, isContinued, run, stop } = useBulk(action, filter);
  const isUnderWay = progress.state === 'running' || progress.state === 'stopping';
  const leave = isUnderWay ? stop : onClose;
  const count = found.runs.length;
  const offersCompleted = action === 'retry' && statusesOf(filter.status).includes('completed');
  return (
    <Dialog label={words.title} onClose={leave} className="w-[min(40rem,calc(100vw-2rem))]">
      <DialogTitle onClose={leave}>{words.title}</DialogTitle>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4">
        {progress.state !== 'asking' ? (
          <BulkProgressView
            action={action}
            progress={progress}
            onStop={stop}
            onAgain={(ids) => void run(ids, isCompletedMeant, progress.done)}
            onClose={onClose}
          />
        ) : error !== null ? (
          <ProblemNotice error={error} title="The runs could not be read" onRetry={again} />
        ) : (
          <>
            <Preview found={found} action={action} />
            {isContinued && (
              <p className="text-action">
                This was begun before and not finished: runs that it was done to already are left out.
              </p>
            )}
            {offersCompleted && (
              <label className="flex items-center gap-2">
                <input
                  type="checkbox"
                  checked={isCompletedMeant}
                  onChange={({ target }) => setIsCompletedMeant(target.checked)}
                  className="size-3.5"
                />
                Completed ones, too: they do their work a second time, with every effect of their tools
              </label>
            )}
            <div className="flex gap-2">
              <Button
                look={action === 'cancel' ? 'danger' : 'primary'}
                disabled={!found.isComplete || count === 0}
                onClick={() =>
                  void run(
                    found.runs.map(({ id }) => id),
                    isCompletedMeant,
                    0,
                  )
                }
              >
                {found.isComplete && count > 0
                  ? `${words.button} ${count.toLocaleString('en-US')} ${count === 1 ? 'run' : 'runs'}`
                  : words.button}
              </Button>
              <Button onClick={onClose}>Leave them</Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

function Preview({ found, action }: { readonly found: FoundRuns; readonly action: BulkAction }) {
  const { runs, isComplete, isCut } = found;
  const count = runs.length.toLocaleString('en-US');
  if (isComplete && runs.length === 0) {
    return (
      <p role="status">No run of these filters can be {action === 'cancel' ? 'cancelled' : 'retried'}.</p>
    );
  }
  return (
    <>
      <p role="status">
        {isComplete
          ? `${count} ${runs.length === 1 ? 'run' : 'runs'} of these filters.`
          : `Reading, ${count} so far …`}{' '}
        {isCut && `There are more than ${MAX_RUNS.toLocaleString('en-US')}: these are the oldest. `}
        {BULK_WORDS[action].effect}
      </p>
      <ul aria-label="The first of them" className="rounded-md border border-line">
        {runs.slice(0, SHOWN).map((run) => (
          <PreviewRow key={run.id} run={run} />
        ))}
        {runs.length > SHOWN && (
          <li className="px-3 py-1.5 text-muted">and {(runs.length - SHOWN).toLocaleString('en-US')} more</li>
        )}
      </ul>
    </>
  );
}

function PreviewRow({ run }: { readonly run: ExecutionSummary }) {
  const agentName = useAgentName();
  return (
    <li className="flex items-center gap-3 border-b border-line px-3 py-1.5 last:border-0">
      <span className="font-mono text-sm" title={run.id}>
        {shortId(run.id)}
      </span>
      <Status status={run.status} />
      <span className="min-w-0 truncate max-sm:flex-1 sm:shrink-0">{agentName(run.agent_id)}</span>
      <span className="min-w-0 flex-1 truncate text-muted max-sm:hidden">{noteOf(run)}</span>
      <span className="shrink-0 text-muted">
        <Time at={run.created_at} />
      </span>
    </li>
  );
}
