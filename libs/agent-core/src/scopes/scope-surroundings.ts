import { addDecimals } from '#libs/kernel';
import { checkBudget } from '#libs/policy';
import { ownStateOf, scopeOf, scopesOf, type ExecutionState } from '../execution-state.js';
import { bringsForeign } from '../foreign-content.js';
import type { ScopeState } from '../scope-state.js';
import type { LoopRules } from '../loop-rules.js';
import type { ScopeRules } from '../scope-rules.js';
import { callingScope, isInside, lineOf, ROOT, type ScopePath } from './scope-path.js';

/** What a scope has spent, without its rounds: tokens, and money as decimal text. */
export interface Spent {
  readonly totalTokens: number;
  readonly cost: string;
}

/** What of the rest of its execution bears on the decisions of one scope. */
export interface ScopeSurroundings {
  readonly path: ScopePath;
  /** Scopes that only a person's decision brings further. */
  readonly parked: ReadonlySet<ScopePath>;
  /** Every scope inside the execution. */
  readonly scopes: ReadonlyMap<ScopePath, ScopeState>;
  /** Tool calls that the other scopes have asked for. */
  readonly callsElsewhere: number;
  /** Agents that models of the execution have called so far, at all depths. */
  readonly opened: number;
  /** By the scopes inside this one. */
  readonly spentInside: Spent;
  /** Nothing is left of the budget of a scope that it works for. */
  readonly isCallersBudgetSpent: boolean;
  /** Foreign content may have come to it otherwise than by its own calls. */
  readonly bringsForeign: boolean;
  /** A scope that it works for has unsafe calls wait after foreign content: so does this one. */
  readonly callersAskAfterForeign: boolean;
}

/** Those of a root without any scope inside. */
export const ALONE: ScopeSurroundings = {
  path: ROOT,
  parked: new Set(),
  scopes: new Map(),
  callsElsewhere: 0,
  opened: 0,
  spentInside: { totalTokens: 0, cost: '0' },
  isCallersBudgetSpent: false,
  bringsForeign: false,
  callersAskAfterForeign: false,
};

/** @param rulesOf of the scopes that this one works for */
export function surroundingsOf(
  state: ExecutionState,
  path: ScopePath,
  parked: ReadonlySet<ScopePath>,
  rulesOf: (path: ScopePath) => ScopeRules | undefined,
): ScopeSurroundings {
  if (state.children.size === 0) return { ...ALONE, path };
  const callers = lineOf(path).slice(0, -1);
  const others = scopesOf(state).filter(([other]) => other !== path);
  return {
    path,
    parked,
    scopes: state.children,
    callsElsewhere: others.reduce((sum, [, scope]) => sum + callCount(scope), 0),
    opened: countAgents(state),
    spentInside: spentInside(state, path),
    isCallersBudgetSpent: callers.some((caller) => isBudgetSpent(state, caller, rulesOf(caller))),
    bringsForeign: bringsForeign(state, path),
    callersAskAfterForeign: callers.some((caller) => rulesOf(caller)?.asksAfterForeignContent === true),
  };
}

/** Without the steps of pipelines. */
function countAgents(state: ExecutionState): number {
  const isOfStep = (path: ScopePath): boolean => {
    const caller = callingScope(path);
    return caller !== null && ownStateOf(state, caller.scope).rounds[caller.round - 1]?.step !== undefined;
  };
  return [...state.children.keys()].filter((path) => !isOfStep(path)).length;
}

/** What a scope itself has spent, by the prices that its facts recorded or else these. */
export function spentBy(scope: ScopeState, costOf: LoopRules['costOf']): Spent {
  const answered = scope.rounds.map(({ answer, cost }) => ({ usage: answer.usage, cost }));
  const calls = [...answered, ...scope.unansweredCalls];
  return calls.reduce<Spent>(
    (sum, { usage, cost }) => ({
      totalTokens: sum.totalTokens + (usage?.total_tokens ?? 0),
      cost: addDecimals(sum.cost, cost === undefined ? (costOf(usage) ?? '0') : totalCost(cost)),
    }),
    { totalTokens: 0, cost: '0' },
  );
}

export function addSpent(a: Spent, b: Spent): Spent {
  return { totalTokens: a.totalTokens + b.totalTokens, cost: addDecimals(a.cost, b.cost) };
}

function isBudgetSpent(state: ExecutionState, path: ScopePath, rules: ScopeRules | undefined): boolean {
  if (rules === undefined) return false;
  const spent = addSpent(spentBy(scopeOf(state, path), rules.costOf), spentInside(state, path));
  // Its rounds are its own: what it calls does not count against them.
  return checkBudget({ ...spent, rounds: 0 }, { ...rules.budget, rounds: null }).kind === 'exceeded';
}

function spentInside(state: ExecutionState, path: ScopePath): Spent {
  return [...state.children]
    .filter(([other]) => isInside(other, path))
    .reduce(
      (sum, [, scope]) =>
        addSpent(
          sum,
          spentBy(scope, () => null),
        ),
      ALONE.spentInside,
    );
}

function totalCost(cost: { readonly prompt: string; readonly completion: string } | null): string {
  return cost === null ? '0' : addDecimals(cost.prompt, cost.completion);
}

function callCount({ rounds }: ScopeState): number {
  return rounds.reduce((sum, { calls }) => sum + calls.length, 0);
}
