import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { limitOpenFiles } from './limit-open-files.js';

const SAYS_LIMITS = {
  command: '/bin/sh',
  args: ['-c', 'echo $(ulimit -S -n) $(ulimit -H -n) "$1"', 'sh', 'a "b" $c'],
};

function run({ command, args }: { readonly command: string; readonly args: readonly string[] }): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

describe('the limit of open files', () => {
  it('holds for the program, which gets its arguments as they are', () => {
    expect(run(limitOpenFiles(SAYS_LIMITS, 100))).toBe('100 100 a "b" $c');
  });

  it('leaves a lower one as it is', () => {
    expect(run(limitOpenFiles(limitOpenFiles(SAYS_LIMITS, 100), 50))).toBe('50 50 a "b" $c');
    expect(run(limitOpenFiles(limitOpenFiles(SAYS_LIMITS, 50), 100))).toBe('50 50 a "b" $c');
  });

  it('starts no program where it cannot be set', () => {
    expect(() => run(limitOpenFiles(SAYS_LIMITS, Number.NaN))).toThrow();
  });
});
