import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import { draftLines } from '../draft-order.js';
import type { OrderLine } from '../order-line.js';
import { detectLanguage } from '../prepare-text.js';
import { readOrder } from '../read-order.js';
import { bestCustomer, foundItemsSchema, foundCustomersSchema } from '../tool-results.js';
import { jsonOf } from './prompt-sections.js';

const extractedSchema = z.object({
  customer_name: z.string().nullable(),
  lines: z.array(
    z.object({
      original_text: z.string(),
      query: z.string(),
      quantity: z.number(),
      uom: z.enum(['CS', 'Ea', 'Lbs', '']),
      remark: z.string().nullable(),
    }),
  ),
});
type ExtractedLine = z.infer<typeof extractedSchema>['lines'][number];

/** Plays the step `draft`: finds a catalogue item for every line, and adds doubts. */
export function draftOrder(prompt: string): JsonObject {
  const extracted = extractedSchema.safeParse(jsonOf(prompt, 'lines')).data;
  if (extracted === undefined) return {};
  const found = z.array(foundItemsSchema).catch([]).parse(jsonOf(prompt, 'catalogue'));
  const customers = foundCustomersSchema.safeParse({ customers: jsonOf(prompt, 'customers') }).data;
  const searched = extracted.lines.map((line, index) => ({
    line: toOrderLine(line),
    found: found[index]?.items ?? null,
  }));
  const language = detectLanguage(extracted.lines.map(({ original_text: text }) => text).join('\n'));
  const order = { language, lines: [], customer: { name: null, account: null }, notes: [] };
  return {
    order_info: draftLines(order, searched).map((draft) => ({ ...draft })),
    customer_name: (customers && bestCustomer(customers)) ?? extracted.customer_name,
  };
}

/** Adds details that the customer's wording has beyond the extracted fields. */
function toOrderLine({ original_text, query, quantity, uom, remark }: ExtractedLine): OrderLine {
  const read = readOrder(original_text).lines.find((line) => line.query === query);
  return {
    ...{ originalText: original_text, query, quantity, uom, remark },
    ...{ code: read?.code ?? null, name: read?.name ?? query, pack: read?.pack ?? null },
    doubts: read?.doubts ?? (quantity > 0 ? [] : [{ kind: 'no_quantity' }]),
  };
}
