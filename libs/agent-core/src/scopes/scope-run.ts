import type { LoopPorts } from '../effects/loop-ports.js';
import type { ExecutionOutcome } from '../journal-entry.js';
import type { Ledger } from '../ledger.js';
import type { ScopePlan } from '../ports/scope-planner.js';
import type { ScopeRules } from '../scope-rules.js';
import type { LoopSignals } from '../stop-reason.js';
import type { ScopePath } from './scope-path.js';

/** A plan by which a scope runs. */
export interface RunningPlan extends Omit<ScopePlan, 'rules'> {
  readonly rules: ScopeRules;
}

/** State that all scopes of one attempt share. */
export interface ScopeRun {
  readonly ledger: Ledger;
  readonly ports: LoopPorts;
  readonly signals: LoopSignals;
  /** Time limits of running scopes: each controller is aborted when its limit is reached. */
  readonly timeouts: Map<ScopePath, AbortController>;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /**
   * Whether read-only calls may begin before their intent is durable. False for a suspect: a read may be the call that
   * crashed earlier attempts, and must not lose the model's answer again.
   */
  readonly mayRunAhead: boolean;
  /** Scopes that earlier attempts left open and this one has not resumed yet; the root is always one of them. */
  readonly leftOpen: Set<ScopePath>;
  /** Open scopes with a model call that a lost attempt may have made and that is not recorded yet. */
  readonly unaccounted: Set<ScopePath>;
  /** Scopes that wait for a person, as seen since the last stop signal. */
  readonly parked: Set<ScopePath>;
  /** Plans of the running scopes. */
  readonly plans: Map<ScopePath, RunningPlan>;
  abortAll(error: unknown): void;
}

export type ScopeResult =
  | { readonly kind: 'finished'; readonly outcome: ExecutionOutcome }
  /** Waits for a person's decision. */
  | { readonly kind: 'parked' }
  /** Stopped at a step boundary. */
  | { readonly kind: 'interrupted' };
