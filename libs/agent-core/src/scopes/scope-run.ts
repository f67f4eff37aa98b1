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

/** What all scopes of one attempt share. */
export interface ScopeRun {
  readonly ledger: Ledger;
  readonly ports: LoopPorts;
  readonly signals: LoopSignals;
  /** Of the scopes that run and have a time limit of their own: aborted when it is reached. */
  readonly timeouts: Map<ScopePath, AbortController>;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  /**
   * Whether calls that only read may begin before it is durable that they do. Not those of a suspect: what ended
   * the processes of earlier attempts may be such a call, and must not take the answer of the model with it again.
   */
  readonly mayRunAhead: boolean;
  /** Scopes that earlier attempts left open, and that this one has not gone on with yet; the root is always one of them. */
  readonly leftOpen: Set<ScopePath>;
  /** Those of them that a lost attempt may have left while they asked their model, as long as that is not noted. */
  readonly unaccounted: Set<ScopePath>;
  /** Scopes that only a person brings further, as far as was seen since the last stop signal. */
  readonly parked: Set<ScopePath>;
  /** Of the scopes that run. */
  readonly plans: Map<ScopePath, RunningPlan>;
  breakOff(error: unknown): void;
}

export type ScopeResult =
  | { readonly kind: 'finished'; readonly outcome: ExecutionOutcome }
  /** Waits for a person's decisions. */
  | { readonly kind: 'parked' }
  /** Stopped at a boundary. */
  | { readonly kind: 'interrupted' };
