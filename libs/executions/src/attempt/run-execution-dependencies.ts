import type { LoopSignals } from '#libs/agent-core';
import type { Claim, ClaimOptions } from '../ports/claim-store.js';
import type { AssignmentStore } from '../ports/assignment-store.js';
import type { AttemptDependencies } from './attempt-dependencies.js';

/**
 * `done`: the attempt wrote its outcome. `died`: the isolated process crashed without an outcome. `cut_off`: the process
 * was stopped without an outcome. `broke_off`: it was stopped before the attempt began. `not_started`: it failed before
 * the attempt began, and may fail again; the execution's deadline keeps running.
 */
export type IsolationEnding = 'done' | 'died' | 'cut_off' | 'broke_off' | 'not_started';

/** Runs suspect attempts in a process of their own. */
export interface Isolation {
  /** Reserves a place before the claim, so that no suspect is claimed without one; null when none is ready. */
  reserve(): IsolationPlace | null;

  /** Makes a place ready for a suspect that could not be claimed, if one more is allowed. */
  prepare(): void;
}

/** Place for one suspect, reserved until it is released; releasing it twice has no effect. */
export interface IsolationPlace {
  run(claim: Claim, signals: LoopSignals): Promise<IsolationEnding>;
  release(): void;
}

/** `canIsolate` is determined separately for each claim. */
export type OwnClaimOptions = Omit<ClaimOptions, 'canIsolate'>;

export interface EndedAttempt {
  readonly wasIsolated: boolean;
  /** True if this process settled the execution; its settling statement has then already reported due work. */
  readonly hasSettled: boolean;
}

/** Dependencies of running executions; the worker composes them. */
export interface RunExecutionDependencies extends AttemptDependencies {
  readonly assignments: Pick<AssignmentStore, 'take'>;
  /** Returns the random token of a new claim. */
  readonly newToken: () => string;
  readonly isolation: Isolation;
  /** Waits while this process cannot start work; throws `NOT_PRESENT` if that lasts too long. */
  readonly claimOptions: () => OwnClaimOptions | Promise<OwnClaimOptions>;
  /** Called after each attempt: the session's next execution may run, and webhooks of isolated runs may be due. */
  onEnded(ended: EndedAttempt): void;
}
