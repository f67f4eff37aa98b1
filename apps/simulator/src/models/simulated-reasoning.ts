import type { AnswerItem } from '../responses/answer.js';
import type { ResponsesRequest } from '../responses/responses-request.js';

/**
 * The reasoning item of a request: none without a `reasoning` parameter or with effort `none`. Thoughts are readable only
 * with a requested summary, as in the real API.
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
