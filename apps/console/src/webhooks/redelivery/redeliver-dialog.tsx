import { useEffect, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { randomKey } from '../../api/client.js';
import { problemOf } from '../../api/problem.js';
import { waitBeforeRetry } from '../../api/wait-before-retry.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogTitle } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/notice.js';
import { ProgressBar } from '../../ui/progress-bar.js';
import { readDeliveries } from '../webhook-queries.js';
import type { DeliveryFilter } from '../webhooks-search.js';
import { filterWords } from './filter-words.js';
import { collectIds, countReasons, redeliverAll, type RedeliveryProgress } from './redeliver-all.js';
import { redeliver } from './use-redeliver.js';

const PAGE = 100;
/** More are sent in several goes: each is a request of this page. */
const MOST = 10_000;
const AT_ONCE = 3;
const TRIES = 6;

interface RedeliverDialogProps {
  readonly filter: DeliveryFilter;
  readonly onClose: () => void;
  /** Called once deliveries were sent again. */
  readonly onDone: () => void;
}

/** Counts the deliveries of a filter, asks, and sends them again with their progress and a way to stop. */
export function RedeliverDialog({ filter, onClose, onDone }: RedeliverDialogProps) {
  const [counted, setCounted] = useState(0);
  const found = useFound(filter, setCounted);
  const sending = useSending(onDone);
  const title = 'Send deliveries again';
  const count = found.data?.ids.length ?? 0;
  return (
    <Dialog label={title} onClose={onClose}>
      <DialogTitle onClose={onClose}>{title}</DialogTitle>
      <div className="flex flex-col gap-4 overflow-y-auto p-4 wrap-anywhere">
        <p>Deliveries: {filterWords(filter)}.</p>
        {found.isPending && <p role="status">Counting: {counted.toLocaleString('en-US')} so far …</p>}
        {found.isError && <ProblemNotice error={found.error} onRetry={() => void found.refetch()} />}
        {found.isSuccess && sending.progress === null && (
          <>
            <p role="status">
              <strong>{count.toLocaleString('en-US')}</strong>{' '}
              {count === 1 ? 'delivery is' : 'deliveries are'} sent again, with the same id and body
              {found.data.isCut && `: the newest ${MOST.toLocaleString('en-US')}, there are more`}. Receivers
              recognise repeats by the id.
            </p>
            <div className="flex gap-2">
              <Button look="primary" disabled={count === 0} onClick={() => sending.start(found.data.ids)}>
                Send {count.toLocaleString('en-US')} again
              </Button>
              <Button onClick={onClose}>Leave it</Button>
            </div>
          </>
        )}
        {sending.progress !== null && (
          <Sending
            progress={sending.progress}
            state={sending.state}
            onStop={sending.stop}
            onClose={onClose}
          />
        )}
      </div>
    </Dialog>
  );
}

/** The deliveries that would be sent again, counted while the dialog is open. */
function useFound(filter: DeliveryFilter, onFound: (count: number) => void) {
  return useQuery({
    queryKey: ['redelivery-preview', filter],
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) =>
      collectIds((cursor) => readDeliveries(filter, cursor, signal, PAGE), MOST, onFound),
  });
}

type SendingState = 'under way' | 'stopping' | 'over';

/** A redelivery under way, which ends with the dialog. */
function useSending(onDone: () => void) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<RedeliveryProgress | null>(null);
  const [state, setState] = useState<SendingState>('under way');
  const stop = useRef(new AbortController());
  useEffect(() => {
    const { current } = stop;
    return () => current.abort();
  }, []);
  const start = async (ids: readonly string[]): Promise<void> => {
    setProgress({ total: ids.length, accepted: 0, refused: [] });
    const { signal } = stop.current;
    await redeliverAll({
      ids,
      atOnce: AT_ONCE,
      redeliver: (id) => redeliverPatiently(id, signal),
      signal,
      onProgress: setProgress,
    });
    setState('over');
    onDone();
    await queries.invalidateQueries({ queryKey: ['webhook-delivery'] });
  };
  return {
    progress,
    state,
    start: (ids: readonly string[]): void => void start(ids),
    stop: (): void => {
      setState('stopping');
      stop.current.abort();
    },
  };
}

/** Tries again what fails for a passing reason, under one key; null once it is accepted, or why it is not. */
async function redeliverPatiently(id: string, signal: AbortSignal): Promise<string | null> {
  const key = randomKey();
  for (let failures = 0; ; failures += 1) {
    try {
      await redeliver(id, key);
      return null;
    } catch (error) {
      const { status, message } = problemOf(error);
      const isPassing = status === 0 || status === 429 || status >= 500;
      if (!isPassing || failures >= TRIES || signal.aborted) return message;
      await waitBeforeRetry(failures, signal);
    }
  }
}

function Sending(props: {
  readonly progress: RedeliveryProgress;
  readonly state: SendingState;
  readonly onStop: () => void;
  readonly onClose: () => void;
}) {
  const { progress, state, onStop, onClose } = props;
  const { total, accepted, refused } = progress;
  const done = accepted + refused.length;
  return (
    <>
      <div className="flex">
        <ProgressBar label="Redelivery" part={total === 0 ? 1 : done / total} />
      </div>
      <p role="status">
        {accepted.toLocaleString('en-US')} of {total.toLocaleString('en-US')} accepted
        {refused.length > 0 && `, ${refused.length.toLocaleString('en-US')} refused`}
        {state === 'over' && done < total && `, ${(total - done).toLocaleString('en-US')} left out: stopped`}.
      </p>
      {state === 'under way' && <p className="text-muted">It stops when this dialog is closed.</p>}
      {refused.length > 0 && (
        <ul className="list-disc pl-5 text-failed">
          {countReasons(refused).map(([reason, count]) => (
            <li key={reason}>
              {count}: {reason}
            </li>
          ))}
        </ul>
      )}
      <div className="flex gap-2">
        {state === 'over' ? (
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button look="danger" disabled={state === 'stopping'} onClick={onStop}>
            Stop
          </Button>
        )}
      </div>
    </>
  );
}
