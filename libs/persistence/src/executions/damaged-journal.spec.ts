import { describe, expect, it } from '@jest/globals';
import { foldEntries } from '#libs/agent-core';
import { JOURNAL_VERSION, readJournal, type JournalRow } from './read-journal.js';

const fact = (sequence: number, overrides: Partial<JournalRow> = {}): JournalRow => ({
  sequence,
  version: JOURNAL_VERSION,
  kind: 'tool_call_started',
  data: { round: 1, position: 0 },
  ...overrides,
});

describe('a journal that cannot be read', () => {
  it.each<[string, JournalRow[], string]>([
    ['is damaged: an unknown kind', [fact(1, { kind: 'tea_made' })], 'JOURNAL_DAMAGED'],
    ['is damaged: a fact without its fields', [fact(1, { data: { round: 1 } })], 'JOURNAL_DAMAGED'],
    ['is damaged: a round that cannot be', [fact(1, { data: { round: 0, position: 0 } })], 'JOURNAL_DAMAGED'],
    ['is damaged: a gap', [fact(1), fact(3)], 'JOURNAL_DAMAGED'],
    ['is damaged: its beginning is lost', [fact(2), fact(3)], 'JOURNAL_DAMAGED'],
    ['is damaged: a fact that is there twice', [fact(1), fact(1)], 'JOURNAL_DAMAGED'],
    [
      'is of a newer release, even if it holds an unknown kind',
      [fact(1, { kind: 'tea_made' }), fact(2, { version: JOURNAL_VERSION + 1, kind: 'tea_drunk' })],
      'JOURNAL_TOO_NEW',
    ],
  ])('%s', (_name, rows, code) => {
    expect(() => readJournal(rows)).toThrow(expect.objectContaining({ code }));
  });

  it('names a tool call that no answer asked for', () => {
    expect(() => foldEntries(readJournal([fact(1)]))).toThrow('no model answer requested: 1.0');
  });
});

it('facts of the versions before the first release are read', () => {
  expect(readJournal([fact(1, { version: 2, kind: 'outcome_asked' })])).toEqual([
    { kind: 'outcome_asked', round: 1, position: 0 },
  ]);
});
