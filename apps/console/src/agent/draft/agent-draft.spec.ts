import { describe, expect, it } from '@jest/globals';
import {
  changedFields,
  draftOf,
  EMPTY_DRAFT,
  fieldsOf,
  isDirty,
  isSameJson,
  patchOf,
  rebased,
  withKey,
} from './agent-draft.js';

const STORED = {
  name: 'Desk',
  usecase_type: 'BASIC_CHAT',
  llm: 1,
  system_prompt: null,
  config: { strategy: 'gpt5_react', budget: { rounds: 3 } },
  tools: { builtin: ['find'] },
};
const base = draftOf(STORED);

describe('the draft of an agent', () => {
  it('is not dirty before anything was changed, in any order of keys', () => {
    expect(isDirty(base, base)).toBe(false);
    expect(isDirty(base, { ...base, config: { budget: { rounds: 3 }, strategy: 'gpt5_react' } })).toBe(false);
  });

  it('is dirty with a changed field, and with a text that is no JSON', () => {
    expect(isDirty(base, { ...base, name: 'Desk 2' })).toBe(true);
    expect(isDirty(base, { ...base, broken: { config: '{', tools: null } })).toBe(true);
  });

  it('is sent as the fields that were changed, an empty prompt as none', () => {
    const changed = { ...base, name: 'Desk 2', tools: {} };
    expect(changedFields(base, changed)).toEqual(['name', 'tools']);
    expect(patchOf(base, changed)).toEqual({ name: 'Desk 2', tools: {} });
    const prompted = draftOf({ ...STORED, system_prompt: 'Be kind.' });
    expect(patchOf(prompted, { ...prompted, system_prompt: '' })).toEqual({ system_prompt: null });
  });

  it('for a new agent is whole, and needs a model configuration', () => {
    expect(fieldsOf(EMPTY_DRAFT)).toBe(null);
    expect(fieldsOf({ ...EMPTY_DRAFT, name: 'New', llm: 2 })).toEqual({
      name: 'New',
      usecase_type: 'BASIC_CHAT',
      llm: 2,
      system_prompt: null,
      config: {},
      tools: {},
    });
  });

  it('keeps what was changed here on top of another version, and takes the rest from it', () => {
    const mine = { ...base, name: 'Mine', broken: { config: '{', tools: null } };
    const theirs = draftOf({ ...STORED, name: 'Theirs', llm: 2 });
    expect(rebased(mine, base, theirs)).toEqual({ ...theirs, name: 'Mine', broken: mine.broken });
  });
});

describe('equal JSON', () => {
  it.each([
    [1, 1, true],
    ['1', 1, false],
    [null, {}, false],
    [[], {}, false],
    [[1, [2]], [1, [2]], true],
    [[1, 2], [2, 1], false],
    [{ a: 1, b: { c: null } }, { b: { c: null }, a: 1 }, true],
    [{ a: undefined }, { b: undefined }, false],
  ])('%j and %j: %s', (one, other, isSame) => {
    expect(isSameJson(one, other)).toBe(isSame);
  });
});

describe('a key', () => {
  it('is changed where it stands, added at the end, or taken out', () => {
    expect(Object.entries(withKey({ a: 1, b: 2 }, 'a', 3))).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(Object.entries(withKey({ a: 1 }, 'b', 2))).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(withKey({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
  });
});
