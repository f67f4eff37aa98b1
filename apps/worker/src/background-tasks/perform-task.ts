import { randomUUID } from 'node:crypto';
import type { ClaimedTask, BackgroundTaskStore, RecordTry } from '#libs/persistence';
import type { BackgroundTask, TaskDependencies, TaskOutcome, TaskPace, TaskRecord } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { delayAfter, MAX_TRIES, UNKNOWN_DELAY_MS } from './pace-tries.js';

export interface PerformTaskDependencies {
  readonly store: Pick<BackgroundTaskStore, 'claim' | 'end' | 'putOff' | 'leave'>;
  readonly tasks: readonly BackgroundTask<EntityManager>[];
  readonly ofTask: TaskDependencies<EntityManager>;
  readonly onTrouble: (error: unknown, claimed: ClaimedTask, isGivenUp: boolean) => void;
}

/** Lease of a claim in milliseconds: longer than the longest try (30 s) with its record. */
const LEASE_MS = 60_000;

interface Attempted {
  /** Null if the task threw or has no tries left. */
  readonly outcome: TaskOutcome<unknown, unknown> | null;
  readonly trouble: unknown;
}

interface Verdict {
  readonly record: TaskRecord<unknown, unknown>;
  /** Null if there is no further try. */
  readonly delayMs: number | null;
}

/** Runs one try of a background task. */
export class PerformTask {
  constructor(private readonly deps: PerformTaskDependencies) {}

  /** Resolves once the try is recorded or postponed; at once if another worker holds the task. */
  async execute(taskId: string): Promise<void> {
    const { store, tasks, onTrouble } = this.deps;
    const claimed = await store.claim(taskId, randomUUID(), LEASE_MS);
    if (claimed === null) return;
    const task = tasks.find(({ kind }) => kind === claimed.kind);
    const read = task?.data.safeParse(claimed.data);
    if (task === undefined || read?.success !== true) {
      onTrouble(new Error('this release does not know such a task'), claimed, false);
      await store.leave(claimed, UNKNOWN_DELAY_MS);
      return;
    }
    const { outcome, trouble } = await this.attempt(task, read.data, claimed);
    const verdict = evaluate(outcome, claimed.tryNumber, task.pace);
    if (trouble !== undefined) onTrouble(trouble, claimed, verdict.record.kind === 'given_up');
    const record: RecordTry = (manager) =>
      task.record(manager, read.data, verdict.record, attemptOf(claimed));
    try {
      await (verdict.delayMs === null
        ? store.end(claimed, record)
        : store.putOff(claimed, verdict.delayMs, record));
    } catch (error) {
      // A record that cannot be written is a bug of this service: the delay leaves time for a fix and spares the
      // receiver.
      onTrouble(error, claimed, false);
      await store.putOff(claimed, delayAfter(claimed.tryNumber, task.pace), () => Promise.resolve());
    }
  }

  private async attempt(
    task: BackgroundTask<EntityManager>,
    data: unknown,
    claimed: ClaimedTask,
  ): Promise<Attempted> {
    if (claimed.tryNumber > MAX_TRIES) {
      return { outcome: null, trouble: new Error('the process that had the last try has died over it') };
    }
    const signal = AbortSignal.timeout(task.timeoutMs);
    try {
      const outcome = await task.perform(data, { ...attemptOf(claimed), signal }, this.deps.ofTask);
      return { outcome, trouble: outcome.kind === 'done' ? undefined : outcome.trouble };
    } catch (error) {
      return { outcome: null, trouble: error };
    }
  }
}

function attemptOf({ taskId, tenantId, tryNumber }: ClaimedTask) {
  return { id: taskId, tenantId, tryNumber };
}

/** Decides the record of a try and the delay of the next one. */
function evaluate(outcome: Attempted['outcome'], tryNumber: number, pace: TaskPace | undefined): Verdict {
  if (outcome?.kind === 'done') return { record: outcome, delayMs: null };
  const fault = outcome?.fault ?? null;
  if (outcome?.kind === 'failed' || tryNumber >= MAX_TRIES)
    return { record: { kind: 'given_up', fault }, delayMs: null };
  const askedMs = outcome?.kind === 'again' ? outcome.afterMs : undefined;
  return { record: { kind: 'put_off', fault }, delayMs: delayAfter(tryNumber, pace, askedMs) };
}
