import { describe, expect, it } from '@jest/globals';
import { type BakedData, describeAdditionalData, holdBakedData, withContext } from './additional-data.js';

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

describe('a message as the model reads it', () => {
  it('is its text and, after four line ends, a line for each thing that it carries (S2-27)', () => {
    const context = describeAdditionalData({ orderId: 5, name: 'Bar', list: ['a'] });
    expect(withContext('saved', context)).toBe('saved\n\n\n\norderId: 5\nname: Bar\nlist: ["a"]');
  });

  it('says behind a thing what was looked up of it, and of no other of that name (S2-26)', () => {
    const lookedUp = { orderId: { 5: 'sent' }, name: { '"Bar"': 'closed' }, other: { 5: 'x' } };
    expect(describeAdditionalData({ orderId: 5, name: 'Bar' }, lookedUp)).toBe(
      'orderId: 5 (sent)\nname: Bar (closed)',
    );
    expect(describeAdditionalData({ orderId: 6, name: 'Baz' }, lookedUp)).toBe('orderId: 6\nname: Baz');
  });

  it.each([{}, { list: [] }])('is its text alone where it carries nothing to read: %j', (shown) => {
    expect(withContext('saved', describeAdditionalData(shown))).toBe('saved');
  });
});
