import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { drawLanes, findLanes, type Lane } from './lanes.ts';

const lane = (name: string, minutes: number): Lane => ({ name, minutes, project: 'crash', folder: name });
const ALL = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => lane(name, index + 2));

describe('the lanes that a text draws', () => {
  it('are the same for the same text, and others for others', () => {
    expect(drawLanes(ALL, 'one', 8)).toEqual(drawLanes(ALL, 'one', 8));
    const draws = ['one', 'two', 'three', 'four', 'five'].map((text) => drawLanes(ALL, text, 8));
    expect(new Set(draws.map((drawn) => JSON.stringify(drawn))).size).toBeGreaterThan(1);
  });

  it('fit the time, and leave no room for another one', () => {
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      const drawn = drawLanes(ALL, text, 8);
      const sum = drawn.reduce((total, { minutes }) => total + minutes, 0);
      expect(sum).toBeLessThanOrEqual(8);
      const rest = ALL.filter((other) => !drawn.includes(other));
      expect(rest.every(({ minutes }) => minutes > 8 - sum)).toBe(true);
    }
  });

  it.each([
    ['pure code, of which npm test has nearly every case', { ...lane('unit', 1), folder: null }],
    ['the Claude Agent SDK, which is not installed there', lane('e2e/claude', 1)],
  ])('are never that of %s', (_why, other) => {
    const seen = Array.from({ length: 60 }, (_, index) => drawLanes([...ALL, other], String(index), 8));
    expect(seen.flat()).not.toContain(other);
  });

  it('come to each in time', () => {
    const seen = Array.from({ length: 60 }, (_, index) => drawLanes(ALL, String(index), 8)).flat();
    expect(new Set(seen)).toEqual(new Set(ALL));
  });
});

describe('the lanes of this repository', () => {
  const lanes = findLanes(join(import.meta.dirname, '../..'));

  it('are the projects of pure code and services, and folders of tests of processes', () => {
    const names = lanes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['unit', 'architecture', 'integration', 'crash/chaos']));
    // Their spec files, if any, contain pure code.
    expect(names.filter((name) => /services|programs|rolling/.test(name))).toEqual([]);
  });
});
