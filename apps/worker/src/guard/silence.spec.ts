import { describe, expect, it } from '@jest/globals';
import { continueSilence, silentMs, type Look, type Silence } from './silence.js';

const LOOK_EVERY_MS = 200;

interface Story {
  readonly title: string;
  readonly looks: readonly Look[];
  readonly silentMs: number;
}

const STORIES: readonly Story[] = [
  { title: 'is none at the first look', looks: [{ beat: 7, waitedMs: 50 }], silentMs: 0 },
  {
    title: 'grows by a look for each without a beat',
    looks: [
      { beat: 7, waitedMs: 0 },
      { beat: 7, waitedMs: 0 },
      { beat: 7, waitedMs: 0 },
    ],
    silentMs: 400,
  },
  {
    title: 'ends with a beat',
    looks: [
      { beat: 7, waitedMs: 0 },
      { beat: 7, waitedMs: 0 },
      { beat: 8, waitedMs: 0 },
    ],
    silentMs: 0,
  },
  {
    title: 'begins anew after a beat',
    looks: [
      { beat: 7, waitedMs: 0 },
      { beat: 7, waitedMs: 0 },
      { beat: 8, waitedMs: 0 },
      { beat: 8, waitedMs: 0 },
    ],
    silentMs: 200,
  },
  {
    title: 'does not grow while the thread waits for a processor',
    looks: [
      { beat: 7, waitedMs: 1_000 },
      { beat: 7, waitedMs: 1_100 },
      { beat: 7, waitedMs: 1_200 },
    ],
    silentMs: 200,
  },
  {
    title: 'grows by a third, however much the thread waits',
    looks: [
      { beat: 7, waitedMs: 0 },
      { beat: 7, waitedMs: 200 },
      { beat: 7, waitedMs: 400 },
      { beat: 7, waitedMs: 600 },
    ],
    silentMs: 200,
  },
  {
    title: 'forgives nothing for what the thread had waited before',
    looks: [
      { beat: 7, waitedMs: 0 },
      { beat: 8, waitedMs: 5_000 },
      { beat: 8, waitedMs: 5_000 },
    ],
    silentMs: 200,
  },
];

describe('the silence of a thread', () => {
  it.each(STORIES)('$title', ({ looks, silentMs: expected }) => {
    const silence = looks.reduce<Silence | null>(continueSilence, null);
    if (silence === null) throw new Error('no look was taken');
    expect(silentMs(silence, LOOK_EVERY_MS, looks.at(-1)?.waitedMs ?? 0)).toBe(expected);
  });
});
