import type { ReviewerAgentOutput } from '../agent-results/reviewer-agent-output.ts';
import type {
  OrderDraftItemRequest,
  SaveOrUpdateOrderDraftParams,
} from '../order-draft/order-draft.schema.ts';

/** Marks each line with findings as a question for a person. Pure. */
export function applyReview(
  params: SaveOrUpdateOrderDraftParams,
  findings: ReviewerAgentOutput['findings'],
): SaveOrUpdateOrderDraftParams {
  return {
    ...params,
    order_info: params.order_info.map((item, index) => {
      const problems = findings.flatMap(({ line, problem }) => (line === index + 1 ? [problem] : []));
      return problems.length === 0 ? item : leaveToPerson(item, problems);
    }),
  };
}

function leaveToPerson(item: OrderDraftItemRequest, problems: readonly string[]): OrderDraftItemRequest {
  const known = item.help_request_message ?? '';
  const said = [known, ...problems.filter((problem) => !known.includes(problem))];
  const help_request_message = said.filter((text) => text !== '').join(' ');
  return { ...item, status: 'todo', confidence: 'low', help_request_message };
}
