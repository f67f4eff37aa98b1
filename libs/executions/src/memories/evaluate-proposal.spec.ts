import { describe, expect, it } from '@jest/globals';
import { MAX_MEMORIES } from '#libs/policy';
import { evaluateProposal } from './evaluate-proposal.js';
import type { KeptFact, MemoryProposal } from './memory-proposal.js';

const learnt = (id: number, text: string): KeptFact => ({ id, text, isPinned: false, isForeign: false });
const written = (id: number, text: string): KeptFact => ({ id, text, isPinned: true, isForeign: false });
const FACTS = [learnt(1, 'Likes tea.'), written(2, 'Lives in Bonn.'), learnt(3, 'Has a dog.')];

const evaluate = (
  proposal: Partial<MemoryProposal>,
  maxFacts = 50,
  unwanted: readonly string[] = [],
  facts = FACTS,
) =>
  evaluateProposal(
    facts,
    (key) => unwanted.includes(key),
    { remember: [], update: [], forget: [], ...proposal },
    maxFacts,
  );
const NOTHING = { inserted: [], updated: [], deleted: [] };

describe('evaluation of a proposal', () => {
  it.each<[string, Partial<MemoryProposal>, object]>([
    ['something new is added', { remember: ['Sings.'] }, { inserted: ['Sings.'] }],
    [
      'a fact reads otherwise',
      { update: [{ id: 1, text: 'Likes coffee.' }] },
      { updated: [{ id: 1, text: 'Likes coffee.' }] },
    ],
    ['a fact goes', { forget: [3] }, { deleted: [3] }],
    [
      'a fact that goes may come back in other words',
      { forget: [1], remember: ['likes TEA'] },
      { deleted: [1], inserted: ['likes TEA'] },
    ],
    ['a fact that is there already is not added', { remember: ['likes  tea', 'Lives in Bonn'] }, {}],
    ['nothing is added twice', { remember: ['Sings.', 'sings'] }, { inserted: ['Sings.'] }],
    ['a fact does not become a second of another', { update: [{ id: 1, text: 'has a dog' }] }, {}],
    ['a fact of a person stays', { update: [{ id: 2, text: 'Lives in Rome.' }], forget: [2] }, {}],
    ['a fact that is not there is not changed', { update: [{ id: 9, text: 'x' }], forget: [9] }, {}],
    [
      'a fact that goes is not changed',
      { forget: [1], update: [{ id: 1, text: 'Likes coffee.' }] },
      { deleted: [1] },
    ],
  ])('%s', (_name, proposal, writes) => {
    expect(evaluate(proposal)).toEqual({ ...NOTHING, ...writes });
  });

  it('drops a text that a person changed or deleted', () => {
    const proposal = { remember: ['Sings.'], update: [{ id: 1, text: 'Sings!' }] };
    expect(evaluate(proposal, 50, ['sings'])).toEqual(NOTHING);
  });

  it('replaces the oldest extracted memories by new ones, one for one', () => {
    expect(evaluate({ remember: ['Sings.'] }, 3)).toEqual({ ...NOTHING, inserted: ['Sings.'], deleted: [1] });
    expect(evaluate({ remember: ['Sings.', 'Runs.'] }, 2)).toEqual({
      ...{ ...NOTHING, inserted: ['Sings.', 'Runs.'], deleted: [1, 3] },
    });
  });

  it('keeps memories that were just changed', () => {
    const proposal = { update: [{ id: 1, text: 'Likes coffee.' }], remember: ['Sings.'] };
    expect(evaluate(proposal, 3)).toMatchObject({ inserted: ['Sings.'], deleted: [3] });
  });

  it('drops new texts when all memories are from people', () => {
    expect(evaluate({ remember: ['Sings.'] }, 1, [], [written(1, 'A.')])).toEqual(NOTHING);
    expect(evaluate({ remember: ['Sings.', 'Runs.', 'Swims.'] }, 3)).toMatchObject({
      ...{ inserted: ['Sings.', 'Runs.'], deleted: [1, 3] },
    });
  });

  it('no executor has more than there may be', () => {
    const all = Array.from({ length: MAX_MEMORIES }, (_none, n) => written(n, `Fact ${n}`));
    expect(evaluate({ remember: ['Sings.'] }, MAX_MEMORIES + 1, [], all)).toEqual(NOTHING);
  });
});
