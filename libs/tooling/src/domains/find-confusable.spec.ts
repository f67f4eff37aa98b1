import { describe, expect, it } from '@jest/globals';
import { findConfusable } from './find-confusable.js';

describe('names that are like another', () => {
  it.each([
    ['find_part', 'find_parts'],
    ['findParts', 'find_parts'],
    ['find-parts', 'find_parts'],
    ['FindParts', 'find_parts'],
    ['findparts', 'find_parts'],
  ])('are found: %s (S2-1)', (name, like) => {
    expect(findConfusable([like, 'other', name])).toEqual({ name, like });
  });

  it.each([
    [['find_parts', 'find_people', 'seek_parts']],
    [['book_parcel', 'book', 'parcel_book', 'book']],
    [[]],
  ])('are not found among %j (S2-1)', (names) => {
    expect(findConfusable(names)).toBeNull();
  });
});
