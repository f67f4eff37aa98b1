import { asForeignContent } from './foreign-mark.js';
import { scopeOf, type ExecutionState } from './execution-state.js';
import type { ToolCallOutcome } from './journal-entry.js';
import type { RoundState, ScopeState } from './scope-state.js';
import { callingScope, childPath, ROOT, type ScopePath } from './scopes/scope-path.js';

/**
 * The output of a call as the model reads it. Foreign content stands between two delimiters with a mark that follows
 * from the content's hash, so the content cannot contain the mark, end the block early and pose as another author.
 */
export function readOutput(outcome: ToolCallOutcome): string {
  if (outcome.status !== 'succeeded' || outcome.foreign === undefined) return outcome.output;
  return asForeignContent(outcome.foreign, outcome.output);
}

/**
 * Whether a scope's model had read foreign content when it requested the calls of a round: from retrieval, attachments,
 * earlier turns of the conversation, or its own calls.
 */
export function hasReadForeign({ preparation, rounds }: ScopeState, round: number): boolean {
  if (preparation?.foreignHistory === true) return true;
  if ((preparation?.retrieval?.passages.length ?? 0) > 0) return true;
  if ((preparation?.attachments?.length ?? 0) > 0) return true;
  return rounds.some(({ number, calls }) => number < round && calls.some(isForeign));
}

/**
 * Whether foreign content may have reached a scope indirectly: through a caller that had read some, or through a
 * sub-agent that the scope called before its last round.
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

/** Whether foreign content has reached the conversation, by this execution or before it. */
export function leavesForeign(state: ExecutionState): boolean {
  return hasReadForeign(state, Infinity) || hasForeignInside(state, ROOT, Infinity);
}

/** Whether sub-agents that a scope called before a round have read foreign content, at any depth. */
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
