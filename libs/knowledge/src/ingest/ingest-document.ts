import { every, type Timers } from '#libs/kernel';
import { nextStep } from '../documents/ingestion-state.js';
import type { ClaimedIngestion, IngestionStore } from '../ports/ingestion-store.js';
import { IngestionSteps, type StepDependencies } from './ingestion-steps.js';
import { MAX_LOSSES, WORKERS_LOST } from './ingestion-error.js';

export interface IngestDocumentDependencies extends StepDependencies {
  readonly ingestions: IngestionStore;
  readonly timers: Timers;
  readonly newToken: () => string;
  readonly leaseMs: number;
  /** Reports an unexpected failure of a step. */
  readonly onSurprise: (error: unknown, ingestionId: string) => void;
}

/**
 * Runs one ingestion job: processes a document's generation step by step. The stored state determines the next step, so
 * start, resumption and takeover are the same. A worker that loses its claim stops, and its later writes are rejected.
 */
export class IngestDocument {
  constructor(private readonly given: IngestDocumentDependencies) {}

  /**
   * @param drain stops before the next call and aborts fetching or parsing; completed work is kept and the ingestion is
   * due again
   */
  async execute(ingestionId: string, drain: AbortSignal): Promise<void> {
    const { ingestions, newToken, leaseMs } = this.given;
    const held = await ingestions.claim(ingestionId, newToken(), leaseMs);
    if (held === null) return;
    const lost = new AbortController();
    const stopRenewing = this.keepLease(held, lost);
    const steps = new IngestionSteps(this.given, held, drain, lost.signal);
    try {
      await this.goThrough(held, steps);
    } catch (error) {
      if (lost.signal.aborted) return;
      this.given.onSurprise(error, ingestionId);
      await steps.endSurprised(error);
    } finally {
      stopRenewing();
      lost.abort();
    }
  }

  private async goThrough(held: ClaimedIngestion, steps: IngestionSteps): Promise<void> {
    if (held.losses >= MAX_LOSSES) {
      await this.given.ingestions.fail(held, WORKERS_LOST);
      return;
    }
    let stored = { state: held.state, hasOriginal: held.original !== null };
    for (;;) {
      const step = nextStep(stored);
      if (step === null) return;
      const next = await steps.take(step);
      if (next === null) return;
      stored = next;
    }
  }

  /** A failed renewal is retried; a rejected one aborts the work. */
  private keepLease(held: ClaimedIngestion, lost: AbortController): () => void {
    const { ingestions, timers, leaseMs } = this.given;
    return every(timers, leaseMs / 3, () => {
      ingestions.renew(held, leaseMs).then(
        (renewed) => {
          if (renewed === 'lost') lost.abort();
        },
        () => undefined,
      );
    });
  }
}
