import type { AnswerItem } from '../responses/answer.js';
import type { ResponsesRequest } from '../responses/responses-request.js';

/**
 * The reasoning item of a model that was asked to reason: none without a `reasoning` parameter or with effort `none`;
 * the thoughts can be read only when a summary was asked for, as with the real API.
 */
export function simulatedReasoning(
  request: ResponsesRequest,
  thoughts: readonly string[],
): readonly AnswerItem[] {
  const { reasoning } = request.body;
  if ((reasoning ?? null) === null || (reasoning?.effort ?? 'medium') === 'none') return [];
  const isShown = (reasoning?.summary ?? reasoning?.generate_summary ?? null) !== null;
  return [{ kind: 'reasoning', summary: isShown ? thoughts : [], thought: thoughts.join('\n') }];
}
