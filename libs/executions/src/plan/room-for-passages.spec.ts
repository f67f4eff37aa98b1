import { describe, expect, it } from '@jest/globals';
import { composeQuestion, type PinnedRetrieval } from '#libs/agent-core';
import { ToolCatalogue } from '#libs/tooling';
import { PARAMETER_RULES } from '../../../../test/support/builders/parameter-rules.js';
import { aClaim } from '../../../../test/support/builders/claim.js';
import { BY_CHARACTERS } from '../../../../test/support/builders/counted-model.js';
import { aPassage } from '../../../../test/support/builders/passage.js';
import { aStoredContext } from '../../../../test/support/builders/stored-context.js';
import type { StoredContext, StoredMessage } from '../ports/stored-context.js';
import { planExecution, type ExecutionPlan } from './execution-plan.js';
import { assertUsable } from './usable-context.js';

/** Characters; each one is a token. */
const CONTEXT = 1_000;
const ANSWER = 100;
const TURN = 100;
const TURNS = 8;

function found(...chars: readonly number[]): PinnedRetrieval {
  const passages = chars
    .filter((length) => length > 0)
    .map((length, at) => aPassage({ text: 'p'.repeat(length), rank: at + 1 }));
  return {
    passages,
    usage: { datasources: 1, total_candidates: 9, used_chunks: passages.length, top_k_requested: 5 },
    template: '{{chunks}}\n{{question}}',
    ...{ merge: 'NEWLINE', snippetChars: 200, foreign: 'f00d' },
  };
}

const said = (turnNumber: number, role: StoredMessage['role']): StoredMessage => ({
  ...{ turnNumber, role, content: role.charAt(0).repeat(TURN / 2) },
  ...{ data: {}, tokens: null },
});
const MESSAGES = Array.from({ length: TURNS }, (_none, at) => [
  said(at + 1, 'user'),
  said(at + 1, 'assistant'),
]).flat();

/** The next turn of a conversation of eight turns of 100 characters, with retrieved passages. */
function plan(added: { readonly retrieval?: PinnedRetrieval }, stored: Partial<StoredContext> = {}) {
  const claim = aClaim();
  const config = { context_size: CONTEXT, max_output_tokens: ANSWER };
  const context = aStoredContext({ systemPrompt: null, messages: MESSAGES, config, ...stored });
  return planExecution(
    { ...claim, turnNumber: TURNS + 1, request: { ...claim.request, input: 'Why?' } },
    { ...assertUsable(context), workspace: null },
    { costOf: () => null, prices: null, maxRetries: 1, ...BY_CHARACTERS, parameters: PARAMETER_RULES },
    new ToolCatalogue([]),
    {
      messageData: { shownToModel: () => ({}) },
      sha256: String,
      toolSearch: { mostListed: 128, indexTools: () => ({ rank: () => [], nearest: () => [] }) },
    },
    added,
  );
}

/** Characters of everything that the model reads. */
function charsOf({ context }: ExecutionPlan): number {
  const question = composeQuestion(context.input, context.preparation?.retrieval);
  const history = context.history.reduce((sum, { content }) => sum + content.length, 0);
  return (context.instruction ?? '').length + history + question.length;
}

const turnsOf = ({ context }: ExecutionPlan): number => context.history.length / 2;

describe('a conversation beside what was found for its next question', () => {
  it.each([
    [0, 8],
    [1, 7],
    [200, 5],
    [400, 3],
    [700, 0],
  ])('with %d characters is shown its newest %d turns', (chars, turns) => {
    const planned = plan({ retrieval: found(chars) });
    expect(turnsOf(planned)).toBe(turns);
    expect(planned.context.preparation).toMatchObject({
      retrieval: found(chars),
      history: { fromTurn: TURNS + 1 - turns, messages: 2 * turns, isCut: turns < TURNS },
    });
  });

  it('fills what the model reads beside its answer, and never more', () => {
    for (let chars = 1; chars <= 690; chars += 13) {
      const planned = plan({ retrieval: found(chars) });
      const room = CONTEXT - ANSWER - charsOf(planned);
      expect(room).toBeGreaterThanOrEqual(0);
      if (turnsOf(planned) < TURNS) expect(room).toBeLessThan(TURN);
    }
  });

  it('has the same budget for an attempt that goes on with what is pinned', () => {
    const begun = plan({ retrieval: found(400) });
    const next = plan({}, { preparation: begun.context.preparation, messages: MESSAGES.slice(-6) });
    expect(turnsOf(next)).toBe(3);
    expect(next.context.conversation).toMatchObject({ budget: begun.context.conversation?.budget });
    expect(next.context.preparation).toEqual(begun.context.preparation);
  });
});

const ranksOf = ({ context }: ExecutionPlan) =>
  context.preparation?.retrieval?.passages.map(({ rank }) => rank);

describe('passages for a question, in a small context window', () => {
  it.each([
    [[700, 700], [1]],
    [
      [300, 300, 300],
      [1, 2],
    ],
    [[300, 5_000, 1], [1]],
    [[5_000], []],
    [[5_000, 1], []],
  ])('with %j characters are as many whole best passages as fit: %j (3.H-13)', (lengths, ranks) => {
    const planned = plan({ retrieval: found(...lengths) });
    expect(ranksOf(planned)).toEqual(ranks);
    const { passages } = planned.context.preparation?.retrieval ?? found();
    expect(passages).toEqual(found(...lengths).passages.slice(0, ranks.length));
    expect(planned.context.preparation).toMatchObject({
      retrieval: { usage: { used_chunks: ranks.length, total_candidates: 9 } },
      warnings: [
        `${lengths.length - ranks.length} of ${lengths.length} passages were left out: the model cannot read as much at once`,
      ],
    });
    expect(charsOf(planned)).toBeLessThanOrEqual(CONTEXT - ANSWER);
  });

  it('never passes what the model reads beside its answer, and leaves out only what has no room', () => {
    for (let chars = 5; chars <= 200; chars += 7) {
      const all = Array.from({ length: 20 }, () => chars);
      const planned = plan({ retrieval: found(...all) }, { systemPrompt: 'i'.repeat(200) });
      expect(planned.context.instruction).toContain('i'.repeat(200));
      const room = CONTEXT - ANSWER - charsOf(planned);
      expect(room).toBeGreaterThanOrEqual(0);
      const used = ranksOf(planned)?.length ?? 0;
      // Room that the passages leave is available to the conversation.
      if (used < all.length) expect(turnsOf(planned) * TURN + room).toBeLessThanOrEqual(chars);
    }
  });

  it('is asked with again by an attempt that goes on, however little there is room for then', () => {
    const begun = plan({ retrieval: found(300, 300, 300) });
    const config = { context_size: CONTEXT, max_output_tokens: CONTEXT - 1 };
    const next = plan({}, { preparation: begun.context.preparation, config });
    expect(next.context.preparation).toEqual(begun.context.preparation);
  });
});
