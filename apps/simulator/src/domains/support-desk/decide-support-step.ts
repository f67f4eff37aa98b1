import type { JsonObject } from '#libs/kernel';
import { readOrderTotal, readPassage, readRefund, readTicket, type AnsweredTool } from './answered-tools.js';
import type { Complaint } from './read-complaint.js';

/** The clerk's next step: a message, or calls of tools. */
export type SupportStep =
  | { readonly kind: 'say'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly calls: readonly { readonly tool: string; readonly known: JsonObject }[];
    };

const LOOK_UP = /^mcp__.*lookup_order$/;
const SEARCH = 'search_knowledge';
const REFUND = 'refund';
const OPEN_TICKET = 'open_ticket';
const MAX_LINE = 200;
const MAX_PASSAGE = 400;
const MAX_QUESTION = 1_000;

/**
 * Looks up the order and the handbook, refunds a known order on request, opens a ticket for the rest, and answers.
 * Deterministic for a conversation.
 */
export function decideSupportStep(
  complaint: Complaint,
  tools: ReadonlySet<string>,
  done: readonly AnsweredTool[],
): SupportStep {
  const outputOf = (name: string): string | undefined => done.findLast((call) => call.name === name)?.output;
  const lookUp = [...tools].find((tool) => LOOK_UP.test(tool));
  if (done.length === 0) {
    const calls = [
      ...(lookUp !== undefined && complaint.orderNumber !== null
        ? [{ tool: lookUp, known: { number: complaint.orderNumber } }]
        : []),
      ...(tools.has(SEARCH)
        ? [{ tool: SEARCH, known: { question: complaint.text.slice(0, MAX_QUESTION) } }]
        : []),
    ];
    if (calls.length > 0) return { kind: 'call', calls };
  }
  const total = readOrderTotal(lookUp === undefined ? '' : (outputOf(lookUp) ?? ''));
  const refund = outputOf(REFUND);
  if (complaint.wantsMoney && total !== null && refund === undefined && tools.has(REFUND))
    return { kind: 'call', calls: [{ tool: REFUND, known: refundOf(complaint, total) }] };
  const isPaid = refund !== undefined && readRefund(refund) !== null;
  const isLeft = !isPaid && (complaint.wantsMoney || complaint.hasProblem);
  if (isLeft && outputOf(OPEN_TICKET) === undefined && tools.has(OPEN_TICKET))
    return { kind: 'call', calls: [{ tool: OPEN_TICKET, known: ticketOf(complaint) }] };
  return { kind: 'say', text: conclude(outputOf) };
}

function refundOf({ text, orderNumber }: Complaint, amount: string): JsonObject {
  return { order_number: orderNumber, amount, reason: oneLine(text) };
}

function ticketOf({ text, orderNumber }: Complaint): JsonObject {
  return { subject: oneLine(text), order_number: orderNumber };
}

function oneLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, MAX_LINE) ?? '';
}

function conclude(outputOf: (name: string) => string | undefined): string {
  const paid = readRefund(outputOf(REFUND) ?? '');
  const ticket = readTicket(outputOf(OPEN_TICKET) ?? '');
  const passage = readPassage(outputOf(SEARCH) ?? '');
  if (paid !== null) {
    const receipt = paid.receipt === null ? '' : `, receipt ${paid.receipt}`;
    return `We are sorry. ${paid.amount} for the order ${paid.orderNumber} is on its way back to you${receipt}.`;
  }
  if (ticket !== null) return `We are sorry. A colleague looks into it: ticket ${ticket}.`;
  if (passage !== null) return `Our handbook says: ${passage.slice(0, MAX_PASSAGE)}`;
  return 'How can I help you with your order?';
}
