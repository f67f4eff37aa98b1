import { asForeignContent } from './foreign-mark.js';
import { scopeOf, type ExecutionState } from './execution-state.js';
import type { ToolCallOutcome } from './journal-entry.js';
import type { RoundState, ScopeState } from './scope-state.js';
import { callingScope, childPath, ROOT, type ScopePath } from './scopes/scope-path.js';

/**
 * What the model reads of a call. What somebody outside wrote stands between two lines that it cannot contain, since their
 * mark follows from the whole of it: nothing in it can end it and speak as somebody else.
 */
export function readOutput(outcome: ToolCallOutcome): string {
  if (outcome.status !== 'succeeded' || outcome.foreign === undefined) return outcome.output;
  return asForeignContent(outcome.foreign, outcome.output);
}

/**
 * Whether the model of a scope had read foreign content when it asked for the calls of a round: with what it was asked, by
 * what earlier turns left to the conversation, or in calls of its own.
 */
export function hasReadForeign({ preparation, rounds }: ScopeState, round: number): boolean {
  if (preparation?.foreignHistory === true) return true;
  if ((preparation?.retrieval?.passages.length ?? 0) > 0) return true;
  if ((preparation?.attachments?.length ?? 0) > 0) return true;
  return rounds.some(({ number, calls }) => number < round && calls.some(isForeign));
}

/**
 * Whether foreign content may have come to a scope otherwise: with its task, since a scope that it works for had read some,
 * or by an agent that it called before its last round.
 */
export function bringsForeign(state: ExecutionState, path: ScopePath): boolean {
  const last = scopeOf(state, path).rounds.at(-1)?.number ?? 0;
  if (hasForeignInside(state, path, last)) return true;
  for (let caller = callingScope(path); caller !== null; caller = callingScope(caller.scope)) {
    const { scope, round } = caller;
    if (hasReadForeign(scopeOf(state, scope), round) || hasForeignInside(state, scope, round)) return true;
  }
  return false;
}

/** Whether foreign content has reached the conversation by this execution, or was in it before. */
export function leavesForeign(state: ExecutionState): boolean {
  return hasReadForeign(state, Infinity) || hasForeignInside(state, ROOT, Infinity);
}

/** By the agents that a scope called before a round, and those that these called. */
function hasForeignInside(state: ExecutionState, path: ScopePath, round: number): boolean {
  const hasInside = ({ number, calls }: RoundState): boolean =>
    number < round &&
    calls.some((call) => {
      const inside = childPath(path, call);
      const scope = state.children.get(inside);
      if (scope === undefined) return false;
      return hasReadForeign(scope, Infinity) || hasForeignInside(state, inside, Infinity);
    });
  return scopeOf(state, path).rounds.some(hasInside);
}

function isForeign({ outcome }: RoundState['calls'][number]): boolean {
  return outcome?.status === 'succeeded' && outcome.foreign !== undefined;
}
