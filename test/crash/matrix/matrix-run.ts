import type { QueueBackend } from '../../support/services/deployment.js';
import { CrashLane } from '../services/crash-lane.js';
import { handOverOf, runBatch, type HandOver, type MatrixBatch } from './matrix-batch.js';

export interface EndedBatch {
  readonly batch: MatrixBatch;
  /** The violations; empty if the batch passed. */
  readonly faults: readonly string[];
  readonly ms: number;
}

/** Runs batches on several lanes at once; every lane has its own database, queue and processes. */
export class MatrixRun {
  /** The violations of each batch. */
  readonly outcomes: ReadonlyMap<MatrixBatch, Promise<string[]>>;
  private readonly pending: {
    readonly batch: MatrixBatch;
    readonly outcome: PromiseWithResolvers<string[]>;
  }[];
  private lanes: Promise<void>[] = [];

  constructor(
    batches: readonly MatrixBatch[],
    private readonly onEnd: (ended: EndedBatch) => void = () => undefined,
  ) {
    this.pending = batches.map((batch) => ({ batch, outcome: Promise.withResolvers<string[]>() }));
    // Without a handler, a failure before a test awaits it would be an unhandled rejection.
    for (const { outcome } of this.pending) outcome.promise.catch(() => undefined);
    this.outcomes = new Map(this.pending.map(({ batch, outcome }) => [batch, outcome.promise]));
  }

  start(backends: readonly QueueBackend[]): void {
    this.lanes = backends.map(async (backend) => {
      await this.runLane(backend, 'direct');
      await this.runLane(backend, 'queue');
    });
  }

  /** Resolves when every lane has run its last batch. */
  async end(): Promise<void> {
    await Promise.all(this.lanes);
  }

  private async runLane(backend: QueueBackend, handOver: HandOver): Promise<void> {
    let lane: CrashLane | null = null;
    for (let next = this.take(backend, handOver); next; next = this.take(backend, handOver)) {
      const { batch, outcome } = next;
      const begunAt = performance.now();
      const end = (faults: readonly string[]): void => {
        this.onEnd({ batch, faults, ms: performance.now() - begunAt });
      };
      try {
        lane ??= await CrashLane.open(backend, { HANDOVER: handOver });
        const violations = await runBatch(lane, batch);
        outcome.resolve(violations);
        end(violations);
      } catch (error) {
        end([String(error)]);
        outcome.reject(error);
        // The lane's state is unknown after a failure, so the next batch gets a new lane.
        await lane?.close();
        lane = null;
      }
    }
    await lane?.close();
  }

  private take(backend: QueueBackend, handOver: HandOver): (typeof this.pending)[number] | undefined {
    const index = this.pending.findIndex(
      ({ batch }) => batch.backend === backend && handOverOf(batch) === handOver,
    );
    return index < 0 ? undefined : this.pending.splice(index, 1)[0];
  }
}
