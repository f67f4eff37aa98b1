import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isInRange } from './node-range.js';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly engines: { readonly node: string };
};

describe('the versions of Node that the package names', () => {
  // 22.18 and 23.6 are the first of their lines that run TypeScript without a flag.
  it.each([
    ['20.19.0', false],
    ['22.9.0', false],
    ['22.17.1', false],
    ['22.18.0', true],
    ['22.21.1', true],
    ['23.0.0', false],
    ['23.5.0', false],
    ['23.6.0', true],
    ['23.11.1', true],
    ['24.0.0', true],
    ['100.0.0', true],
  ])('have %s: %j', (version, expected) => {
    expect(isInRange(version, engines.node)).toBe(expected);
  });
});
