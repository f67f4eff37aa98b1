import type { StoredContext } from './stored-context.js';

/** Stored fact, not validated yet. */
export interface StoredFact {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly version: number;
  readonly kind: string;
  /** `''` at the root. */
  readonly scope: string;
  readonly data: object;
}

/**
 * Context and facts at the time of the claim. They stay current until the attempt writes, because no other worker may
 * write under its claim.
 */
export interface ClaimedState {
  /** Null when the agent was deleted. */
  readonly context: StoredContext | null;
  /** Facts of all earlier attempts, in order. */
  readonly facts: readonly StoredFact[];
}
