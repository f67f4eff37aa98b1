import { describe, expect, it } from '@jest/globals';
import type { JournalRow } from './case-evidence.js';
import { lossesInARow } from './losses-in-a-row.js';

const fact = (epoch: number, kind = 'model_call_completed'): JournalRow => ({
  sequence: epoch,
  epoch,
  scope: '',
  kind,
  data: {},
});

describe('losses in a row', () => {
  it.each([
    {
      name: 'none where the first attempt ended it',
      journal: [fact(1)],
      attempts: 1,
      notLost: [],
      losses: 0,
    },
    { name: 'one after one', journal: [fact(2)], attempts: 2, notLost: [], losses: 1 },
    { name: 'all that got nowhere', journal: [fact(3)], attempts: 3, notLost: [], losses: 2 },
    {
      name: 'that a lost answer is no progress',
      journal: [fact(2, 'model_call_lost'), fact(3)],
      attempts: 3,
      notLost: [],
      losses: 2,
    },
    {
      name: 'one after one that got further',
      journal: [fact(2), fact(3)],
      attempts: 3,
      notLost: [],
      losses: 1,
    },
    { name: 'none for one that was released', journal: [fact(2)], attempts: 2, notLost: [1], losses: 0 },
  ])('counts $name', ({ journal, attempts, notLost, losses }) => {
    expect(lossesInARow(journal, attempts, notLost)).toBe(losses);
  });
});
