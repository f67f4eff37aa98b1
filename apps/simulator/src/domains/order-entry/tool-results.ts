import { z } from 'zod';
import type { InputItem } from '../../responses/input-item.js';

const successOf = <Result extends z.ZodType>(result: Result) =>
  z.object({ status: z.literal('success'), result });
const foundItemSchema = z.object({
  item_num: z.string().min(1),
  name: z.string().default(''),
  pack_size: z.string().nullish(),
  uom: z.string().nullish(),
  score: z.number().default(0),
});
/** An item of a search result; `score` is 0 to 1. */
export type FoundItem = z.infer<typeof foundItemSchema>;

/** Result of a search for items. */
export const foundItemsSchema = z.object({ items: z.array(foundItemSchema).default([]) });
/** Result of a search for customers. */
export const foundCustomersSchema = z.object({
  customers: z.array(z.object({ name: z.string(), score: z.number().default(0) })).default([]),
});

const searchOutput = successOf(foundItemsSchema);
const customersOutput = successOf(foundCustomersSchema);
const saveOutput = z.object({
  status: z.enum(['success', 'error']),
  result: z.object({ savedOrderRequestId: z.number().nullish(), message: z.string().nullish() }).default({}),
});

/** A tool call of this turn with its output. */
export interface AnsweredCall {
  readonly name: string;
  /** The `query` argument, or an empty text. */
  readonly query: string;
  /** Usually JSON text. */
  readonly output: string;
}

/** Result of saving the draft. */
export type SaveResult =
  { readonly kind: 'saved'; readonly orderRequestId: number | null } | { readonly kind: 'failed' };

/** The answered calls since `index`, in the order of the calls. */
export function answeredCalls(items: readonly InputItem[], index: number): readonly AnsweredCall[] {
  const turn = items.slice(index + 1);
  const used = new Set<InputItem>();
  return turn.flatMap((item) => {
    if (item.type !== 'function_call') return [];
    const answer = turn.find(
      (other) => other.type === 'function_call_output' && other.callId === item.callId && !used.has(other),
    );
    if (answer?.type !== 'function_call_output') return [];
    used.add(answer);
    return [{ name: item.name, query: queryOf(item.arguments), output: answer.output }];
  });
}

/** Items found, best first; null when the search failed. */
export function readFoundItems(output: string): readonly FoundItem[] | null {
  return parse(searchOutput, output)?.result.items ?? null;
}

/** Name of the customer that was found with certainty, or null. */
export function readFoundCustomer(output: string): string | null {
  const found = parse(customersOutput, output)?.result;
  return found === undefined ? null : bestCustomer(found);
}

/** Name of the best customer, if its score is at least 0.75. */
export function bestCustomer({ customers: [best] }: z.infer<typeof foundCustomersSchema>): string | null {
  const SURE = 0.75;
  return best !== undefined && best.score >= SURE ? best.name : null;
}

export function readSaveResult(output: string): SaveResult {
  const saved = parse(saveOutput, output);
  if (saved?.status !== 'success') return { kind: 'failed' };
  return { kind: 'saved', orderRequestId: saved.result.savedOrderRequestId ?? null };
}

function queryOf(argumentsText: string): string {
  return parse(z.object({ query: z.string() }), argumentsText)?.query ?? '';
}

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
