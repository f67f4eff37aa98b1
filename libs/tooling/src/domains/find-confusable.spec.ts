import { describe, expect, it } from '@jest/globals';
import { findConfusable } from './find-confusable.js';

describe('names that are like another', () => {
  it.each([
    ['search_item', 'search_items'],
    ['searchItems', 'search_items'],
    ['search-items', 'search_items'],
    ['SearchItems', 'search_items'],
    ['searchitems', 'search_items'],
    ['search_items', 'search_items'],
  ])('are found: %s (S2-1)', (name, like) => {
    expect(findConfusable([like, 'other', name])).toEqual({ name, like });
  });

  it.each([
    [['search_items', 'search_customers', 'find_items']],
    [['save_order_draft', 'save_order', 'order_draft_save']],
    [[]],
  ])('are not found among %j (S2-1)', (names) => {
    expect(findConfusable(names)).toBeNull();
  });
});
