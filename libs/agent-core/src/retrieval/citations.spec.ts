import { describe, expect, it } from '@jest/globals';
import type { Passage } from '#libs/tooling';
import { aCall, aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { aPassage } from '../../../../test/support/builders/passage.js';
import { foldEntries } from '../execution-state.js';
import type { JournalEntry, ToolCallOutcome } from '../journal-entry.js';
import { citationsOf, passagesOf } from './citations.js';

const chunk = (chunk_id: number): Passage => aPassage({ chunk_id });
const prepared = (scope: string, ...passages: Passage[]): JournalEntry => ({
  kind: 'execution_prepared',
  ...(scope !== '' && { scope }),
  ...{ agent: { id: 1, version: 1 }, model: 'm', extra: {}, instruction: null, tools: [] },
  retrieval: {
    ...{ passages, template: '{{chunks}} {{question}}', merge: 'NEWLINE', snippetChars: 7, foreign: 'f' },
    usage: { datasources: 1, total_candidates: 9, used_chunks: passages.length, top_k_requested: 5 },
  },
});
const asked = (...tools: string[]): JournalEntry => ({
  ...{ kind: 'model_call_completed', round: 1, latencyMs: 1 },
  answer: aModelAnswer({ toolCalls: tools.map((tool, at) => aCall(tool, `c${at}`)) }),
});
const settled = (position: number, outcome: ToolCallOutcome): JournalEntry => ({
  ...{ kind: 'tool_call_settled', round: 1, position, outcome },
});
const found = (...passages: Passage[]): ToolCallOutcome => ({
  ...{ status: 'succeeded', output: '', result: null },
  sources: { passages, snippetChars: 3 },
});
const opened = (scope: string): JournalEntry => ({
  ...{ kind: 'scope_opened', scope, agentId: 2, name: 'clerk', input: '' },
});
const ANSWERED: ToolCallOutcome = { status: 'succeeded', output: 'x', result: null };
const FAILED: ToolCallOutcome = { status: 'failed', output: 'x', error: 'x' };

const idsOf = (...entries: JournalEntry[]): number[] =>
  passagesOf(foldEntries(entries)).map(({ chunk_id }) => chunk_id);

describe('where an answer comes from', () => {
  it('is what was found before the model was asked, then what its tools found, each chunk once (3.H-13)', () => {
    const entries = [
      prepared('', chunk(1), chunk(2)),
      asked('search', 'search'),
      settled(1, found(chunk(5))),
      settled(0, found(chunk(2), chunk(4))),
    ];
    expect(idsOf(...entries)).toEqual([1, 2, 4, 5]);
  });

  it('is shown as far as the search reports it (3.H-13)', () => {
    const entries = [prepared('', chunk(1)), asked('search'), settled(0, found(chunk(2)))];
    expect(citationsOf(foldEntries(entries)).map(({ snippet }) => snippet)).toEqual(['Parcels...', 'Par...']);
  });

  it('is what an agent inside found, in the place of the call of it, where it has answered', () => {
    const begun = [
      ...[prepared('', chunk(1)), asked('clerk', 'search'), settled(1, found(chunk(8)))],
      ...[opened('1.0'), prepared('1.0', chunk(7))],
    ];
    expect(idsOf(...begun, settled(0, ANSWERED))).toEqual([1, 7, 8]);
    expect(idsOf(...begun, settled(0, FAILED))).toEqual([1, 8]);
  });

  it('is nothing of a call that has not ended, or has failed', () => {
    expect(idsOf(asked('search', 'search'), settled(0, FAILED))).toEqual([]);
  });
});
