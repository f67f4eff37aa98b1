import type { EmbeddingUsage } from './ingestion-store.js';

/** Usage of an ended embedding call. */
export type CallEnding = Omit<EmbeddingUsage, 'call'>;

/** Records embedding calls outside of ingestion. */
export abstract class CallAccounts {
  /** Announces a call and returns its number. Durable when resolved; the cost is unknown until `close`. */
  abstract open(model: string): Promise<number>;

  abstract close(call: number, ending: CallEnding): Promise<void>;
}
