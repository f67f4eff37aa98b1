import { describe, expect, it } from '@jest/globals';
import { adapt, KnownHabits, USUAL_HABITS } from './embedding-habits.js';

const refused = (message: string, status = 400) => ({ message, details: { status } });

describe('asking for vectors again', () => {
  it.each<[string, ReturnType<typeof refused>, object]>([
    [
      'without dimensions',
      refused('[400] Model "bge-small" does not support matryoshka representation.'),
      { habits: { takesDimensions: false }, isLearned: true },
    ],
    [
      'without the format',
      refused("[400] Unknown parameter: 'encoding_format'"),
      { habits: { takesFormat: false, takesDimensions: true }, isLearned: true },
    ],
    [
      'with as many texts as the server names',
      refused('[400] batch size is invalid, it should not be larger than 10.: input.contents'),
      { habits: { maxTexts: 10 }, isLearned: true },
    ],
    [
      'with the limit, where the number of texts is named beside it',
      refused('[422] batch size 40 > maximum allowed batch size 32', 422),
      { habits: { maxTexts: 32 }, isLearned: true },
    ],
    [
      'with half, where no number is named',
      refused('[413] too large', 413),
      { habits: { maxTexts: 20 }, isLearned: true },
    ],
    [
      'with half, and that is not kept, where the server does not say why',
      refused('[400] maximum context length is 8192 tokens'),
      { habits: { maxTexts: 20 }, isLearned: false },
    ],
  ])('is done %s', (_how, error, expected) => expect(adapt(error, USUAL_HABITS, 40)).toMatchObject(expected));

  it.each([
    ['a single text is refused', refused('[400] no'), 1],
    ['the key is refused', refused('[401] dimensions', 401), 40],
    ['the server is broken', refused('[500] batch', 500), 40],
  ])('does not help where %s', (_why, error, texts) => expect(adapt(error, USUAL_HABITS, texts)).toBeNull());

  it('leaves out a field once', () => {
    const asked = { ...USUAL_HABITS, takesDimensions: false };
    expect(adapt(refused('[400] wrong dimensions'), asked, 1)).toBeNull();
  });

  it('remembers what a server has said, and forgets the oldest of many', () => {
    const known = new KnownHabits();
    const few = { ...USUAL_HABITS, maxTexts: 10 };
    known.learn('a', few);
    expect(known.of('a', USUAL_HABITS)).toEqual(few);
    expect(known.of('b', USUAL_HABITS)).toEqual(USUAL_HABITS);
    for (let number = 0; number < 1_000; number += 1) known.learn(`s${number}`, few);
    expect(known.of('a', USUAL_HABITS)).toEqual(USUAL_HABITS);
  });
});
