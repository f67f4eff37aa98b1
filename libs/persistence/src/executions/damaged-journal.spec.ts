import { describe, expect, it } from '@jest/globals';
import { foldEntries } from '#libs/agent-core';
import { NO_TOKENS } from '#libs/payloads';
import { JOURNAL_VERSION } from './journal-version.js';
import { readJournal, type JournalRow } from './read-journal.js';

const fact = (sequence: number, overrides: Partial<JournalRow> = {}): JournalRow => ({
  sequence,
  version: 1,
  kind: 'tool_call_started',
  data: { round: 1, position: 0 },
  ...overrides,
});

const PREPARED = { agent: { id: 1, version: 1 }, model: 'm', extra: {}, instruction: null, tools: [] };

const RETRIEVAL = {
  ...{
    passages: [],
    template: '{{chunks}} {{question}}',
    merge: 'NEWLINE',
    snippetChars: 200,
    foreign: '00ff',
  },
  usage: { datasources: 1, total_candidates: 0, used_chunks: 0, top_k_requested: 5 },
};

describe('a journal that cannot be read', () => {
  it.each<[string, JournalRow[], string]>([
    ['is damaged: a kind that version 1 never had', [fact(1, { kind: 'tea_made' })], 'JOURNAL_DAMAGED'],
    [
      'is damaged: a kind of version 2 that says it is of version 1',
      [fact(1, { kind: 'outcome_asked' })],
      'JOURNAL_DAMAGED',
    ],
    [
      'is damaged: a reason of version 3 that says it is of version 1',
      [
        fact(1, {
          kind: 'tool_call_settled',
          data: { round: 1, position: 0, outcome: { status: 'refused', output: '', reason: 'denied' } },
        }),
      ],
      'JOURNAL_DAMAGED',
    ],
    [
      'is damaged: what a failed call has cost, which says that it is of version 2',
      [
        fact(1, {
          version: 2,
          kind: 'model_call_failed',
          data: {
            round: 1,
            error: { code: 'SDK_ERROR', message: '' },
            retryable: true,
            retryAfterMs: null,
            spent: { responseId: null, model: 'm', usage: NO_TOKENS },
          },
        }),
      ],
      'JOURNAL_DAMAGED',
    ],
    [
      'is damaged: words of somebody outside that say they are of version 4',
      [
        fact(1, {
          version: 4,
          kind: 'tool_call_settled',
          data: {
            round: 1,
            position: 0,
            outcome: { status: 'succeeded', output: '', result: null, foreign: '00ff' },
          },
        }),
      ],
      'JOURNAL_DAMAGED',
    ],
    [
      'is damaged: tools that are searched for, which say that they are of version 5',
      [fact(1, { version: 5, kind: 'execution_prepared', data: { ...PREPARED, listed: [] } })],
      'JOURNAL_DAMAGED',
    ],
    [
      'is damaged: what was found in documents, which says that it is of version 6',
      [fact(1, { version: 6, kind: 'execution_prepared', data: { ...PREPARED, retrieval: RETRIEVAL } })],
      'JOURNAL_DAMAGED',
    ],
    [
      'is damaged: a step that says that it is of version 7',
      [
        fact(1, {
          version: 7,
          kind: 'step_settled',
          data: { step: 'draft', outcome: { status: 'skipped' } },
        }),
      ],
      'JOURNAL_DAMAGED',
    ],
    ['is damaged: a fact without its fields', [fact(1, { data: { round: 1 } })], 'JOURNAL_DAMAGED'],
    ['is damaged: a round that cannot be', [fact(1, { data: { round: 0, position: 0 } })], 'JOURNAL_DAMAGED'],
    ['is damaged: a gap', [fact(1), fact(3)], 'JOURNAL_DAMAGED'],
    ['is damaged: its beginning is lost', [fact(2), fact(3)], 'JOURNAL_DAMAGED'],
    ['is damaged: a fact that is there twice', [fact(1), fact(1)], 'JOURNAL_DAMAGED'],
    [
      'is of a newer release, whatever else it holds',
      [fact(1, { kind: 'tea_made' }), fact(2, { version: JOURNAL_VERSION + 1, kind: 'tea_drunk' })],
      'JOURNAL_TOO_NEW',
    ],
  ])('%s', (_name, rows, code) => {
    expect(() => readJournal(rows)).toThrow(expect.objectContaining({ code }));
  });

  it('names a tool call that nobody asked for', () => {
    expect(() => foldEntries(readJournal([fact(1)]))).toThrow('nobody asked for: 1.0');
  });
});

it('facts of version 2 are read', () => {
  const asked = { version: 2, kind: 'outcome_asked' };
  const report = { kind: 'happened', output: null };
  const reported = {
    version: 2,
    kind: 'outcome_reported',
    data: { round: 1, position: 0, report, reason: '' },
  };
  expect(readJournal([fact(1, asked), fact(2, reported)])).toEqual([
    { kind: 'outcome_asked', round: 1, position: 0 },
    { kind: 'outcome_reported', round: 1, position: 0, report, reason: '' },
  ]);
});
