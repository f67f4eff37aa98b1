import type { StoredContext } from './stored-context.js';

/** A fact as it is stored; nobody has checked it. */
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
 * What an attempt begins with, as it was when it was claimed. True until the attempt writes: while its claim holds, nobody
 * else does.
 */
export interface ClaimedState {
  /** Null where the agent does not exist any more. */
  readonly context: StoredContext | null;
  /** Of all attempts before, in their order. */
  readonly facts: readonly StoredFact[];
}
