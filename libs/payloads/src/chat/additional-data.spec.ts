import { describe, expect, it } from '@jest/globals';
import { holdBakedData, type BakedData } from './additional-data.js';
import { buildContentFromAdditionalData } from './build-content-from-additional-data.js';

describe('holding what tools bake', () => {
  it.each<[string, BakedData, BakedData | undefined, BakedData]>([
    ['keeps what a tool produced', {}, { orderId: 5 }, { orderId: 5 }],
    ['keeps what an earlier tool produced', { orderId: 5 }, { report: 'r' }, { orderId: 5, report: 'r' }],
    ['has the last value win', { orderId: 5 }, { orderId: 6 }, { orderId: 6 }],
    ['holds no empty value', { orderId: 5 }, { orderId: 0, report: '', file: null }, { orderId: 5 }],
    ['stays as it is where nothing was produced', { orderId: 5 }, undefined, { orderId: 5 }],
  ])('%s (S2-28)', (_what, held, produced, expected) => {
    expect(holdBakedData(held, produced)).toEqual(expected);
  });
});

describe('what the model reads of a message', () => {
  it('is its text and, after four line ends, a line for each thing that it carries (S2-27)', () => {
    expect(buildContentFromAdditionalData('saved', { orderId: 5, name: 'Bar', list: ['a'] })).toBe(
      'saved\n\n\n\norderId: 5\nname: Bar\nlist: ["a"]',
    );
  });

  it.each([{}, { list: [] }])('is its text alone where it carries nothing to read: %j', (shown) => {
    expect(buildContentFromAdditionalData('saved', shown)).toBe('saved');
  });
});
