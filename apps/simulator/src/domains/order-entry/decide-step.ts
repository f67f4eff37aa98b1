import type { JsonObject } from '#libs/kernel';
import { CLERK_SAYS } from './clerk-words.js';
import { confirmOrder } from './confirm-order.js';
import { draftLines, type DraftLine, type SearchedLine } from './draft-order.js';
import type { OrderLine, ReadOrder } from './order-line.js';
import { readFoundCustomer, readFoundItems, readSaveResult, type AnsweredCall } from './tool-results.js';

/** A tool to call, with the arguments known so far. */
export interface ToolUse {
  readonly tool: string;
  readonly known: JsonObject;
}

/** The clerk's next step: a message, or calls of tools. */
export type ClerkStep =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly calls: readonly ToolUse[] };

const SEARCH = 'search_items';
const SEARCH_CUSTOMERS = 'search_customers';
export const SAVE = 'save_order_draft';
/** Maximum length that the search accepts, in characters; longer queries are cut. */
const MAX_QUERY = 200;

/**
 * Decides the next step from the order, the available tools and the calls so far: search each line, save the draft, confirm.
 * Deterministic for a conversation.
 */
export function decideStep(
  order: ReadOrder,
  tools: ReadonlySet<string>,
  done: readonly AnsweredCall[],
): ClerkStep {
  if (order.lines.length === 0) return say(CLERK_SAYS.noOrder[order.language]);
  const missing = [SEARCH, SAVE].find((tool) => !tools.has(tool));
  if (missing !== undefined) return say(CLERK_SAYS.missingTool[order.language](missing, order.lines.length));
  const searched = pairSearches(
    order.lines,
    done.filter((call) => call.name === SEARCH),
  );
  const toSearch = order.lines.filter((_line, index) => searched[index] === undefined);
  const pending = [...toSearch.map(searchFor), ...searchForCustomer(order, tools, done)];
  if (pending.length > 0) return { kind: 'call', calls: pending };
  const drafts = draftLines(
    order,
    searched.filter((pair) => pair !== undefined),
  );
  const saving = done.findLast((call) => call.name === SAVE);
  return saving === undefined
    ? { kind: 'call', calls: [save(order, drafts, done)] }
    : conclude(order, drafts, saving);
}

/** Pairs each line with the first unused search for its query, or with a shared one. */
function pairSearches(
  lines: readonly OrderLine[],
  searches: readonly AnsweredCall[],
): readonly (SearchedLine | undefined)[] {
  const free = new Set(searches);
  return lines.map((line) => {
    const search =
      [...free].find((call) => call.query === queryOf(line)) ??
      searches.find((call) => call.query === queryOf(line));
    if (search === undefined) return undefined;
    free.delete(search);
    return { line, found: readFoundItems(search.output) };
  });
}

function searchFor(line: OrderLine): ToolUse {
  return { tool: SEARCH, known: { query: queryOf(line) } };
}

/** Searches once, and only if the text names a customer and the tool is available. */
function searchForCustomer(
  order: ReadOrder,
  tools: ReadonlySet<string>,
  done: readonly AnsweredCall[],
): readonly ToolUse[] {
  const query = order.customer.account ?? order.customer.name;
  const isAsked = done.some((call) => call.name === SEARCH_CUSTOMERS);
  return query === null || isAsked || !tools.has(SEARCH_CUSTOMERS)
    ? []
    : [{ tool: SEARCH_CUSTOMERS, known: { query } }];
}

function save(order: ReadOrder, drafts: readonly DraftLine[], done: readonly AnsweredCall[]): ToolUse {
  const search = done.find((call) => call.name === SEARCH_CUSTOMERS);
  const found = search === undefined ? null : readFoundCustomer(search.output);
  const known = {
    order_info: drafts.map((draft) => ({ ...draft })),
    customer_name: found ?? order.customer.name,
  };
  return { tool: SAVE, known };
}

function conclude(order: ReadOrder, drafts: readonly DraftLine[], saving: AnsweredCall): ClerkStep {
  const result = readSaveResult(saving.output);
  switch (result.kind) {
    case 'failed':
      return say(CLERK_SAYS.notSaved[order.language]);
    case 'saved':
      return say(confirmOrder(order, drafts, result.orderRequestId));
  }
}

function queryOf(line: OrderLine): string {
  return line.query.slice(0, MAX_QUERY);
}

function say(text: string): ClerkStep {
  return { kind: 'say', text };
}
