import { addDecimals } from '#libs/kernel';
import { checkBudget, type Spending } from '#libs/policy';
import { ownStateOf, scopeOf, scopesOf, type ExecutionState } from '../execution-state.js';
import { bringsForeign } from '../foreign-content.js';
import type { ScopeState } from '../scope-state.js';
import type { LoopRules } from '../loop-rules.js';
import type { ScopeRules } from '../scope-rules.js';
import { callingScope, isInside, lineOf, ROOT, type ScopePath } from './scope-path.js';

/** Spending of a scope, without its rounds. */
export type Spent = Omit<Spending, 'rounds'>;

/** The state of other scopes that one scope's decisions depend on. */
export interface ScopeSurroundings {
  readonly path: ScopePath;
  /** Scopes that wait for a person's decision. */
  readonly parked: ReadonlySet<ScopePath>;
  /** Every scope inside the execution. */
  readonly scopes: ReadonlyMap<ScopePath, ScopeState>;
  /** Number of tool calls in all other scopes. */
  readonly callsElsewhere: number;
  /** Number of sub-agents called by models so far, at all depths. */
  readonly opened: number;
  /** Spending of the scopes inside this one. */
  readonly spentInside: Spent;
  /** Whether the budget of a calling scope is spent. */
  readonly isCallersBudgetSpent: boolean;
  /** Whether foreign content may have reached the scope other than by its own calls. */
  readonly bringsForeign: boolean;
  /**
   * Whether a calling scope requires approval of unsafe calls after foreign content, which then holds for this scope
   * too.
   */
  readonly callersAskAfterForeign: boolean;
}

/** Surroundings of a root without inner scopes. */
export const ALONE: ScopeSurroundings = {
  path: ROOT,
  parked: new Set(),
  scopes: new Map(),
  callsElsewhere: 0,
  opened: 0,
  spentInside: { totalTokens: 0, cost: () => '0' },
  isCallersBudgetSpent: false,
  bringsForeign: false,
  callersAskAfterForeign: false,
};

/** @param rulesOf rules of the calling scopes */
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

/** Counts sub-agents without those of pipeline steps. */
function countAgents(state: ExecutionState): number {
  const isOfStep = (path: ScopePath): boolean => {
    const caller = callingScope(path);
    return caller !== null && ownStateOf(state, caller.scope).rounds[caller.round - 1]?.step !== undefined;
  };
  return [...state.children.keys()].filter((path) => !isOfStep(path)).length;
}

/** Spending of a scope itself, by its recorded costs or else by `costOf`. */
export function spentBy(scope: ScopeState, costOf: LoopRules['costOf']): Spent {
  const answered = scope.rounds.map(({ answer, cost }) => ({ usage: answer.usage, cost }));
  const calls = [...answered, ...scope.unansweredCalls];
  return {
    totalTokens: calls.reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0),
    cost: () =>
      calls
        .map(({ usage, cost }) => (cost === undefined ? (costOf(usage) ?? '0') : totalCost(cost)))
        .reduce(addDecimals, '0'),
  };
}

export function addSpent(a: Spent, b: Spent): Spent {
  return { totalTokens: a.totalTokens + b.totalTokens, cost: () => addDecimals(a.cost(), b.cost()) };
}

function isBudgetSpent(state: ExecutionState, path: ScopePath, rules: ScopeRules | undefined): boolean {
  if (rules === undefined) return false;
  const spent = addSpent(spentBy(scopeOf(state, path), rules.costOf), spentInside(state, path));
  // The round limit counts only the scope's own rounds.
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
