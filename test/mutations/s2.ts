import type { Mutant } from './mutant.js';

/** S2: what tools take and return, and what is kept of it. */
export const S2_MUTANTS: readonly Mutant[] = [
  {
    row: 'S2-14',
    file: 'libs/order-entry/src/order-draft/order-entry-payload.ts',
    find: "pack_size: item.pack_size ?? ''",
    replace: "pack_size: item.pack_size ?? 'null'",
    spec: 'libs/order-entry/src/order-draft/order-entry-payload.spec.ts',
    why: 'a line without a pack size is stored with the word null as its pack size',
  },
  {
    row: 'S2-13',
    file: 'libs/order-entry/src/order-draft/order-entry-payload.ts',
    find: 'isSaved: false,',
    replace: 'isSaved: true,',
    spec: 'libs/order-entry/src/order-draft/order-entry-payload.spec.ts',
    why: 'a draft counts as saved before a person has looked at it',
  },
  {
    row: 'S2-9',
    file: 'libs/order-entry/src/search/search-items.ts',
    find: 'Math.max(codeNearness(query, search_code), ...scores)',
    replace: 'codeNearness(query, search_code)',
    spec: 'test/integration/order-entry/search-items.spec.ts',
    why: 'items are found by their numbers only',
  },
];
