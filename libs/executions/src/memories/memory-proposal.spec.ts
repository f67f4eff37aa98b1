import { describe, expect, it } from '@jest/globals';
import { readProposal, type KeptFact } from './memory-proposal.js';

const SAID = 'I am a vegetarian, and please write to me in French. My PIN? password: hunter2secret';
const FACTS: readonly KeptFact[] = [
  { id: 1, text: 'Eats meat.', isPinned: false, isForeign: false },
  { id: 2, text: 'Lives in Bonn.', isPinned: true, isForeign: false },
];
const NOTHING = { remember: [], update: [], forget: [] };
const remembering = (text: string, said = 'I am a vegetarian') =>
  JSON.stringify({ ...NOTHING, remember: [{ text, said }] });
const read = (answer: string) => readProposal(answer, SAID, FACTS);

describe('an answer of a model', () => {
  it('proposes what follows from words of the user', () => {
    const answer = {
      remember: [{ text: 'Wants\n to be written to in French.', said: 'please write to me in French' }],
      update: [{ id: 1, text: 'Is a vegetarian.', said: 'I AM a  vegetarian.' }],
      forget: [{ id: 1, said: 'vegetarian' }],
    };
    expect(read(JSON.stringify(answer))).toEqual({
      remember: ['Wants to be written to in French.'],
      update: [{ id: 1, text: 'Is a vegetarian.' }],
      forget: [1],
    });
  });

  it('may stand in a block', () => {
    expect(read(`\`\`\`json\n${remembering('Is a vegetarian.')}\n\`\`\``)?.remember).toHaveLength(1);
  });

  it.each([
    ['prose', 'I remember that you are a vegetarian.'],
    ['nothing', ''],
    ['another shape', '{"facts": ["Is a vegetarian."]}'],
    ['a list', '[]'],
    ['half of it', '{"remember": []}'],
    ['more than it is asked for', JSON.stringify({ ...NOTHING, execute: 'rm' })],
    ['an id that is a text', JSON.stringify({ ...NOTHING, forget: [{ id: '1', said: 'vegetarian' }] })],
    [
      'too many changes',
      JSON.stringify({
        ...NOTHING,
        remember: Array.from({ length: 21 }, (_none, n) => ({
          text: `Fact ${n}`,
          said: 'I am a vegetarian',
        })),
      }),
    ],
  ])('is none where it is %s', (_name, answer) => {
    expect(read(answer)).toBeNull();
  });

  it.each([
    ['words that the user has not said', remembering('Is a doctor.', 'I am a doctor')],
    ['no words', remembering('Is a vegetarian.', ' … ')],
    ['a letter that is everywhere', remembering('Is a vegetarian.', 'a')],
    ['a fact that is no text', remembering(' .\n')],
    ['a fact of 501 characters', remembering('x'.repeat(501))],
    ['a secret', remembering('Has the password: hunter2secret')],
    ['a key', remembering('Uses the key sk-proj-abcdefgh12345678.')],
    ['what was hidden', remembering('Has the password ***REDACTED***.')],
  ])('proposes nothing by %s', (_name, answer) => {
    expect(read(answer)).toEqual(NOTHING);
  });

  it.each([
    ['that a person wrote', 2],
    ['that is not there', 3],
  ])('changes no fact %s', (_name, id) => {
    const said = 'I am a vegetarian';
    const answer = { remember: [], update: [{ id, text: 'Is a vegetarian.', said }], forget: [{ id, said }] };
    expect(read(JSON.stringify(answer))).toEqual(NOTHING);
  });
});
