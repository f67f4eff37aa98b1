import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { execa } from 'execa';

const PROGRAM = join(import.meta.dirname, 'run.mjs');

it.each([
  ['nothing', [], 'both sides are the same'],
  ['the same checkout twice', ['--first', '.', '--second', './bench/..'], 'both sides are the same'],
  ['a variable without a value', ['--set', 'NAME'], '--set: NAME=VALUE, not "NAME"'],
  ['no pairs', ['--set', 'NAME=1', '--pairs', '0'], '--pairs: a number from 1, not "0"'],
])('a comparison of %s ends with the usage, and measures nothing', async (_what, args, reason) => {
  const ended = execa(process.execPath, [PROGRAM, ...args]);
  await expect(ended).rejects.toMatchObject({ exitCode: 1, stdout: expect.stringContaining(reason) });
});
