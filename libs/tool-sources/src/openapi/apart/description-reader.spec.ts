import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { DescriptionReader } from './description-reader.js';
import { readDescription } from './read-description.js';

it.each(['openapi: 3.1.0\npaths: {}\n', '{"openapi":"3.1.0","paths":{}}'])(
  'reads every description in a process of its own, however short: %j',
  async (text) => {
    const reader = new DescriptionReader({ program: join(import.meta.dirname, 'missing.js') });
    const read = await reader.read('t', text).catch((error: unknown) => error);
    expect(read).toMatchObject({ message: 'the program that reads descriptions has ended with 1' });
  },
);

it('bounds all files together', () => {
  const levels = ['a: &a [1,1,1,1,1,1,1,1,1,1]'];
  for (const [name, of] of ['ba', 'cb', 'dc', 'ed'].map((pair) => [...pair]))
    levels.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${of}`).join(',')}]`);
  const text = levels.join('\n');
  const names = Array.from({ length: 30 }, (_, at) => `${at}.yaml`);
  const files = Object.fromEntries(names.map((name) => [name, text]));
  const { check } = readDescription({ root: '0.yaml', files });
  expect(check.problems).toEqual([expect.stringContaining('must have at most 2000000 values')]);
  expect(readDescription(text).check.problems).toEqual([expect.stringContaining('must say its version')]);
});

it('bounds what its files come to as JSON', () => {
  const long = `a: &a ${'x'.repeat(10_000)}\nb: [${Array.from({ length: 900 }, () => '*a').join(',')}]`;
  const files = { 'a.yaml': long, 'b.yaml': long };
  expect(readDescription({ root: 'a.yaml', files }).check.problems).toEqual([
    'b.yaml#: must have at most 16777216 characters as JSON, all files together',
  ]);
});
