import { foldEntries, type RequestedCall, type RunnableCall } from '#libs/agent-core';
import { aCall, aModelAnswer } from './model-answer.js';

/** The first call of the first round, ready to run. */
export function aRunnableCall(
  requested: RequestedCall = aCall('look', 'c1'),
  overrides: Partial<RunnableCall> = {},
): RunnableCall {
  const answer = aModelAnswer({ toolCalls: [requested] });
  const state = foldEntries([{ kind: 'model_call_completed', round: 1, answer, latencyMs: 1 }]);
  const call = state.rounds[0]?.calls[0];
  if (call === undefined) throw new Error('the answer asks for a call');
  return { ...call, effect: 'read', input: {}, ...overrides };
}
