import { z } from 'zod';
import type { InputItem } from '../../responses/input-item.js';

/** A call since the customer's message, with its output. */
export interface AnsweredTool {
  readonly name: string;
  readonly output: string;
}

/** The answered calls since `index`, in order. */
export function answeredTools(items: readonly InputItem[], index: number): readonly AnsweredTool[] {
  const turn = items.slice(index + 1);
  return turn.flatMap((item) => {
    if (item.type !== 'function_call') return [];
    const answer = turn.find(
      (other) => other.type === 'function_call_output' && other.callId === item.callId,
    );
    return answer?.type === 'function_call_output' ? [{ name: item.name, output: answer.output }] : [];
  });
}

/** Total of the order, e.g. `49.90`; null if the shop does not know the order. */
export function readOrderTotal(output: string): string | null {
  return /"total":\s*"(\d+\.\d{2})"/.exec(output)?.[1] ?? null;
}

/** The best passage, without the marks around foreign content; null without results. */
export function readPassage(output: string): string | null {
  const json = /\{.*\}/s.exec(output)?.[0] ?? '';
  return parse(passagesSchema, json)?.result.passages[0]?.text ?? null;
}

const passagesSchema = z.object({
  result: z.object({ passages: z.array(z.object({ text: z.string() })) }),
});
const paidSchema = z.object({
  status: z.literal('success'),
  result: z.object({
    refundReceipt: z.object({
      orderNumber: z.string(),
      amount: z.string(),
      receipt: z.string().nullable(),
    }),
  }),
});
const ticketSchema = z.object({
  status: z.literal('success'),
  result: z.object({ openedTicketId: z.int() }),
});

/** The paid refund; null if none was paid, for example after a person's refusal. */
export function readRefund(
  output: string,
): { readonly orderNumber: string; readonly amount: string; readonly receipt: string | null } | null {
  return parse(paidSchema, output)?.result.refundReceipt ?? null;
}

/** Number of the ticket; null if none was opened. */
export function readTicket(output: string): number | null {
  return parse(ticketSchema, output)?.result.openedTicketId ?? null;
}

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
