import type { EmbeddingUsage } from './ingestion-store.js';

/** What is known of a call for vectors once it has ended. */
export type CallEnding = Omit<EmbeddingUsage, 'call'>;

/** Keeps account of calls for vectors that somebody makes beside taking documents in. */
export abstract class CallAccounts {
  /**
   * A call is about to be made. Durable when it resolves; until more is known of it, nobody can say what it has cost.
   * Answers its number.
   */
  abstract open(model: string): Promise<number>;

  abstract close(call: number, ending: CallEnding): Promise<void>;
}
