import type { OutputReport } from '../agent-results/output-report.ts';
import type { ReviewerAgentOutput } from '../agent-results/reviewer-agent-output.ts';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.ts';
import { cutText, wholeCharacters } from '../texts.ts';

/** Maximum length in bytes; a report may have as many characters. */
const MAX_SUMMARY = 2_000;
const MAX_NAME = 200;

/** A drafted and reviewed order. */
export interface ReviewedOrder {
  readonly id: number;
  readonly customerName: string | null;
  readonly payload: OrderEntryPayload;
  readonly review: ReviewerAgentOutput;
}

/** Summary card of an order: its counts, the review, and each open line with its reason. Pure. */
export function composeReport({ id, customerName, payload, review }: ReviewedOrder): OutputReport {
  const total = payload.items.length;
  const open = payload.items.flatMap((item, index) => (item.status === 'todo' ? [{ index, item }] : []));
  const readyLines = total - open.length;
  const whose = customerName === null ? '' : ` for ${customerName}`;
  const ofWhole = review.findings.filter(({ line }) => line === null || line > total);
  const summary = [
    `Order request ${id} is drafted${whose}: ${total === 1 ? '1 line' : `${total} lines`}, ${readyLines} ready.`,
    ...ofWhole.map(({ problem }) => `- ${problem}`),
    ...open.map(
      ({ index, item }) =>
        `- line ${index + 1} "${item.original_text}": ${item.help_request_message ?? 'to be decided.'}`,
    ),
  ].join('\n');
  return {
    summary: cutText(summary, MAX_SUMMARY),
    orderRequestId: id,
    customerName: customerName && wholeCharacters(customerName, MAX_NAME),
    readyLines,
    openLines: open.length,
    review,
  };
}
