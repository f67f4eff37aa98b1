import { describe, expect, it } from '@jest/globals';
import { codeNearness } from '../../../../examples/order-entry/capstan/domains/order-entry/search/code-nearness.ts';
import {
  MIN_SCORE,
  nearness,
} from '../../../../examples/order-entry/capstan/domains/order-entry/search/nearness.ts';
import { rankMatches } from '../../../../examples/order-entry/capstan/domains/order-entry/search/rank-matches.ts';
import { toSearchQuery } from '../../../../examples/order-entry/capstan/domains/order-entry/search/search-query.ts';
import { toSearchText } from '../../../../examples/order-entry/capstan/domains/order-entry/search/search-text.ts';
import { editDistance } from '../../../../examples/order-entry/capstan/domains/order-entry/search/word-likeness.ts';

const near = (query: string, text: string) => nearness(toSearchText(query), toSearchText(text));

describe('nearness', () => {
  it.each([
    ['roma tomatoes', 'Roma Tomatoes'],
    ['ローマ トマト', 'ろーまとまと'],
  ])('is 1 for %s and %s', (query, text) => expect(near(query, text)).toBe(1));

  it.each([
    ['chiken brest', 'Chicken Breast Boneless Skinless'],
    ['bluberries', 'Blueberries'],
    ['sirracha', 'Sriracha Chili Sauce'],
    ['boneless chicken breast', 'Chicken Breast Boneless Skinless'],
    ['mozz', 'Fresh Mozzarella Ovoline'],
    ['トマト', 'ローマトマト'],
  ])('is at least 0.6 and below 1 for the same thing written otherwise: %s, %s', (query, text) => {
    expect(near(query, text)).toBeGreaterThanOrEqual(0.6);
    expect(near(query, text)).toBeLessThan(1);
  });

  it.each([
    ['unicorn steak', 'Beef Flank Steak'],
    ['truffle oil', 'Canola Oil'],
    ['edible gold leaf', 'Bay Leaf'],
    ['牛乳', '牛肉'],
  ])('is at most 0.5 for other things that share a word: %s, %s', (query, text) => {
    expect(near(query, text)).toBeLessThanOrEqual(0.5);
  });

  it.each([
    ['xylophone', 'Roma Tomatoes'],
    ['5', '15'],
    ['', 'Roma Tomatoes'],
    ['🍎', ''],
  ])('is noise for %j and %j', (query, text) => expect(near(query, text)).toBeLessThan(MIN_SCORE));

  it('prefers the shorter of two names that hold the query', () => {
    expect(near('tomato', 'Roma Tomatoes')).toBeGreaterThan(near('tomato', 'Crushed Tomatoes in Puree'));
  });
});

describe('codeNearness', () => {
  it.each([
    ['VEG-1010', 1],
    ['veg1010', 1],
    ['VEG-1010 roma tomatoes', 0.98],
  ])('for %s and VEG1010 is %d', (query, score) =>
    expect(codeNearness(toSearchQuery(query), 'VEG1010')).toBe(score),
  );

  it('ranks the beginning of a number above a piece from inside, and both below the number', () => {
    const [beginning, inside] = ['VEG-10', '1010'].map((query) =>
      codeNearness(toSearchQuery(query), 'VEG1010'),
    );
    expect(beginning).toBeLessThan(0.98);
    expect(inside).toBeLessThan(beginning ?? 0);
    expect(inside).toBeGreaterThan(0.6);
  });

  it.each(['veg', '10', 'FRT-2010', 'roma tomatoes'])('for %s and VEG1010 is 0', (query) => {
    expect(codeNearness(toSearchQuery(query), 'VEG1010')).toBe(0);
  });
});

describe('toSearchQuery', () => {
  it('searches by the meaningful words of the query', () => {
    expect(toSearchQuery('2 x 25 lb roma tomatoes').words).toEqual(['lb', 'roma', 'tomato']);
  });

  it('searches by numbers when there is nothing else', () => {
    expect(toSearchQuery('16/20').words).toEqual(['16', '20']);
  });

  it('holds nothing that PostgreSQL or a LIKE pattern could stumble over', () => {
    const { text, words, codes, partialCode } = toSearchQuery("%_\\'1\u000023%");
    expect([text, ...words, ...codes, partialCode].join('')).toMatch(/^[A-Za-z0-9 ]*$/);
  });
});

describe('rankMatches', () => {
  const match = (key: string, score: number) => ({ key, score });

  it('puts the best first, ties by key, drops noise and keeps to the limit', () => {
    const matches = [match('c', 0.5), match('b', 0.9), match('a', 0.9), match('d', 0.1), match('e', 0.4)];
    const ranked = rankMatches(matches, 3, ({ key }) => key);
    expect(ranked.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  });

  it('rounds scores to three digits', () => {
    expect(rankMatches([match('a', 2 / 3)], 1, ({ key }) => key)).toEqual([match('a', 0.667)]);
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', '', 3],
    ['lettuce', 'letuce', 1],
    ['sriracha', 'sirracha', 1],
    ['kitten', 'sitting', 3],
  ])('for %j and %j is %d', (a, b, distance) => expect(editDistance(a, b)).toBe(distance));
});
