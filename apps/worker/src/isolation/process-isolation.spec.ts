import { expect, it } from '@jest/globals';
import { flagsOfChild } from './process-isolation.js';

it.each<[string, string[], string[]]>([
  ['none of its worker', [], []],
  [
    'the small young generation of its worker, and nothing else of it',
    ['--enable-source-maps', '--max-semi-space-size=4', '--cpu-prof', '--max-old-space-size=64'],
    ['--max-semi-space-size=4'],
  ],
])('a process with a suspect has a heap of its own size and %s', (_what, own, inherited) => {
  expect(flagsOfChild(own, 512)).toEqual([...inherited, '--max-old-space-size=512']);
});
