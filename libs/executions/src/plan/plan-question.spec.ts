import { describe, expect, it } from '@jest/globals';
import { composeQuestion, type PinnedRetrieval } from '#libs/agent-core';
import { aPassage } from '../../../../test/support/builders/passage.js';
import { planQuestion, type QuestionPlan } from './plan-question.js';

function found(...texts: readonly string[]): PinnedRetrieval {
  return {
    passages: texts.map((text, at) => aPassage({ text, rank: at + 1 })),
    usage: { datasources: 1, total_candidates: 9, used_chunks: texts.length, top_k_requested: 5 },
    template: '{{chunks}}\n{{question}}',
    ...{ merge: 'NEWLINE', snippetChars: 200, foreign: 'made before' },
  };
}

function plan(
  retrieval: PinnedRetrieval | undefined,
  fits: (question: string) => boolean,
): QuestionPlan & { readonly tried: number } {
  let tried = 0;
  const planned = planQuestion(retrieval, {
    input: 'Why?',
    around: (asked) => `<${asked}>`,
    fits: (question) => {
      tried += 1;
      return fits(question);
    },
    sha256: (text) => `hash of ${text}`,
  });
  return { ...planned, tried };
}

/** A question fits unless it contains one of these texts. */
const without =
  (...texts: readonly string[]) =>
  (question: string): boolean =>
    !texts.some((text) => question.includes(text));

describe('a question', () => {
  it('for which nothing was looked for is asked as it is', () => {
    expect(plan(undefined, () => false)).toEqual({
      ...{ text: '<Why?>', retrieval: undefined, warnings: [], tried: 0 },
    });
  });

  it('is asked with everything that was found, as it was pinned, where that fits', () => {
    const retrieval = found('one', 'two');
    expect(plan(retrieval, () => true)).toEqual({
      ...{ text: `<${composeQuestion('Why?', retrieval)}>`, retrieval, warnings: [], tried: 1 },
    });
  });

  it('is asked with the best that fits, and says how much of it there is (3.H-13)', () => {
    const planned = plan(found('one', 'two', 'three', 'four'), without('three'));
    expect(planned.retrieval).toEqual({
      ...found('one', 'two'),
      usage: { ...found().usage, used_chunks: 2 },
      foreign: 'hash of one\ntwo',
    });
    expect(planned.text).toBe(`<${composeQuestion('Why?', planned.retrieval)}>`);
    expect(planned.warnings).toEqual([
      '2 of 4 passages were left out: the model cannot read as much at once',
    ]);
  });

  it('is asked alone where not even the best fits', () => {
    const planned = plan(found('one', 'two'), without('one'));
    expect(planned).toMatchObject({ text: '<Why?>', retrieval: { passages: [], usage: { used_chunks: 0 } } });
    expect(planned.warnings).toHaveLength(1);
  });

  it('finds what fits among a hundred passages by few tries', () => {
    const texts = Array.from({ length: 100 }, (_none, at) => `passage-${at}.`);
    for (let most = 0; most < 100; most += 1) {
      const planned = plan(found(...texts), without(`passage-${most}.`));
      expect(planned.retrieval?.passages).toHaveLength(most);
      expect(planned.tried).toBeLessThanOrEqual(8);
    }
  });
});
