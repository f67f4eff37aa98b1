import { describe, expect, it } from '@jest/globals';
import { shareOf } from './share-of-queue.js';

const CASES = ['a', 'b', 'c', 'd', 'e'];

describe('cases that two queues share', () => {
  it('are each met by one of them', () => {
    const met = [...shareOf('postgres', CASES, false), ...shareOf('redis', CASES, false)];
    expect(met.toSorted()).toEqual(CASES);
  });

  it('are each met by both where everything is met', () => {
    expect(shareOf('postgres', CASES, true)).toEqual(CASES);
    expect(shareOf('redis', CASES, true)).toEqual(CASES);
  });
});
