import type { JsonObject } from '#libs/kernel';
import { CLERK_SAYS } from '../clerk-words.js';
import { readOrder } from '../read-order.js';
import { filesOf, sectionOf } from './prompt-sections.js';

/** Plays the step `extract`: reads order lines from the text and its files. */
export function extractLines(prompt: string): JsonObject {
  const text = [sectionOf(prompt, 'order'), ...filesOf(prompt).map((file) => file.text)].join('\n');
  const { lines, customer, language } = readOrder(text);
  return {
    customer_name: customer.account === null ? customer.name : `account ${customer.account}`,
    lines: lines.map(({ originalText, query, quantity, uom, remark }) => ({
      original_text: originalText,
      query,
      quantity,
      uom,
      remark,
    })),
    no_order_reply: lines.length === 0 ? CLERK_SAYS.noOrder[language] : null,
  };
}
