import { BatchExecutor, type BatchAnswer } from '#libs/concurrency';
import type { MonotonicClock } from '#libs/kernel';
import type { Assignment, AssignmentStore } from '../ports/assignment-store.js';
import type { Offers, WorkerDoors } from '../ports/worker-door.js';
import { WorkerRooms } from './worker-rooms.js';

/** Milliseconds between two looks for workers, while executions are accepted. */
const LOOK_EVERY_MS = 2_000;

export interface AssignerDependencies {
  readonly doors: WorkerDoors;
  readonly store: Pick<AssignmentStore, 'requeue'>;
  readonly clock: MonotonicClock;
  /** Returns the random token of a claim. */
  readonly newToken: () => string;
  /** Defers a batch so that simultaneous submissions share it; `setImmediate`. */
  readonly defer: (begin: () => void) => void;
  /** Called after executions were requeued. */
  readonly onRequeued: () => void;
  readonly onError: (error: unknown) => void;
}

type Calls = BatchExecutor<Assignment | null, undefined>;

/**
 * Hands accepted executions to workers with a free slot: the accept claims them for the worker, which then needs neither
 * a job nor a claim. What a worker did not confirm is requeued, unless the worker has taken it.
 */
export class Assigner {
  private readonly rooms: WorkerRooms;
  /** By worker: one call at a time, so that executions of the meantime share the next one. */
  private readonly calls = new Map<string, Calls>();
  private lookedAt = -Infinity;
  private isLooking = false;

  constructor(private readonly deps: AssignerDependencies) {
    this.rooms = new WorkerRooms(deps.clock);
  }

  /** Reserves slots for up to `most` executions; {@link settle} must follow. Returns at once, perhaps without an offer. */
  offer(most: number): Offers {
    const { free } = this.rooms;
    const workers = this.rooms.reserve(most);
    if (workers.length < most) this.ask();
    return { items: workers.map((workerId) => ({ workerId, token: this.deps.newToken() })), free };
  }

  /**
   * Hands the executions over that have taken offers, and ends the other offers. Returns at once.
   * @param taken ids of these executions by tokens; null if the accept has failed
   */
  settle({ items }: Offers, taken: ReadonlyMap<string, string> | null): void {
    for (const { workerId, token } of items) {
      const executionId = taken?.get(token);
      if (executionId === undefined) this.rooms.unreserve(workerId, 1);
      else void this.callsTo(workerId).call({ executionId, token });
    }
    // A database that accepts nothing is not asked for workers.
    if (taken !== null) this.look();
  }

  /** Resolves once every execution is handed over or requeued. */
  async idle(): Promise<void> {
    await Promise.all([...this.calls.values()].map((calls) => calls.idle()));
  }

  /** Looks for workers now and then, in the background. */
  private look(): void {
    const { clock, doors, onError } = this.deps;
    if (this.isLooking || clock.monotonic() - this.lookedAt < LOOK_EVERY_MS) return;
    this.isLooking = true;
    doors
      .find(this.rooms.withRoom)
      .then((found) => {
        this.rooms.meet(found);
        for (const workerId of this.calls.keys()) if (!this.rooms.find(workerId)) this.calls.delete(workerId);
        this.ask();
      })
      .catch(onError)
      .finally(() => {
        this.lookedAt = clock.monotonic();
        this.isLooking = false;
      });
  }

  /** Asks workers without a known free slot whether they have one since. */
  private ask(): void {
    for (const { door } of this.rooms.takeToAsk()) void this.callsTo(door.workerId).call(null);
  }

  private callsTo(workerId: string): Calls {
    const known = this.calls.get(workerId);
    if (known !== undefined) return known;
    const calls: Calls = new BatchExecutor<Assignment | null, undefined>({
      runTogether: (asked) => this.call(workerId, asked),
      runAlone: () => Promise.resolve(undefined),
      mayRunAlone: () => false,
      lanes: 1,
      defer: this.deps.defer,
    });
    this.calls.set(workerId, calls);
    return calls;
  }

  private async call(
    workerId: string,
    asked: readonly (Assignment | null)[],
  ): Promise<BatchAnswer<undefined>[]> {
    const assignments = asked.filter((one) => one !== null);
    const room = this.rooms.find(workerId);
    try {
      if (room) room.free = await room.door.hand(assignments);
    } catch (error) {
      this.deps.onError(error);
      if (room) this.rooms.silence(room);
      await this.requeue(assignments);
    } finally {
      this.rooms.unreserve(workerId, assignments.length);
    }
    return asked.map(() => ({ kind: 'done', value: undefined }));
  }

  /** An execution that cannot be requeued now is found when its lease is over. */
  private async requeue(assignments: readonly Assignment[]): Promise<void> {
    const { onError, onRequeued, store } = this.deps;
    if (assignments.length === 0) return;
    await store.requeue(assignments).then(onRequeued, onError);
  }
}
