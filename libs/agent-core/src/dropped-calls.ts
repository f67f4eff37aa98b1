import type { ScopeState } from './scope-state.js';

/** For people: calls that a model asked for and that could not be run, since nothing says of which tool they are. */
export function droppedCallWarnings({ rounds }: Pick<ScopeState, 'rounds'>): string[] {
  return rounds.flatMap(({ number, answer: { droppedCalls = 0 } }) => {
    if (droppedCalls === 0) return [];
    const calls = droppedCalls === 1 ? 'a tool call' : `${droppedCalls} tool calls`;
    return [
      `the model asked in round ${number} for ${calls} without a name or an id, or broken off: not run`,
    ];
  });
}
