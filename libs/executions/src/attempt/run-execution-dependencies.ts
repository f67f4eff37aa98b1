import type { LoopSignals } from '#libs/agent-core';
import type { Claim, ClaimOptions } from '../ports/claim-store.js';
import type { AttemptDependencies } from './attempt-dependencies.js';

/**
 * `done`: whatever had to be written was written. `died`: a process that held nothing but this attempt ended without
 * an outcome,
 * although nobody stopped it. `cut_off`: it ended without an outcome because somebody stopped it. `broke_off`: it was
 * stopped before it
 * got as far as the attempt. `not_started`: it did not get that far by itself, and may never do: the time of the
 * execution goes on.
 */
export type IsolationEnding = 'done' | 'died' | 'cut_off' | 'broke_off' | 'not_started';

/** Runs an attempt where it can harm nothing else. */
export interface Isolation {
  /** Before a claim, so that no suspect is claimed that finds no place; null when all are taken. */
  reserve(): IsolationPlace | null;
}

/** Room for one suspect, held until it is released; releasing it again does nothing. */
export interface IsolationPlace {
  run(claim: Claim, signals: LoopSignals): Promise<IsolationEnding>;
  release(): void;
}

/** Whether a suspect can be isolated is asked at each claim. */
export type OwnClaimOptions = Omit<ClaimOptions, 'canIsolate'>;

export interface EndedAttempt {
  readonly wasIsolated: boolean;
  /** Whether this process has settled it: then the statement that did so has said whether anybody waits for that. */
  readonly hasSettled: boolean;
}

/** Everything that running executions touches; introduced to each other by the app. */
export interface RunExecutionDependencies extends AttemptDependencies {
  /** The random token of a new claim. */
  readonly newToken: () => string;
  readonly isolation: Isolation;
  /** Waits for a while when this process cannot begin anything just now; throws `NOT_PRESENT` when that lasts. */
  readonly claimOptions: () => OwnClaimOptions | Promise<OwnClaimOptions>;
  /** The attempt is over: the next of its session may run, and webhooks of what ran in another process may be due. */
  onEnded(ended: EndedAttempt): void;
}
