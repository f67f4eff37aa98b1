import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const MODULE = new URL('terminal.ts', import.meta.url).href;

/** Output of a program that performs one task with progress; a child process, since it could hang. */
function printWithProgress(terminal: { isTTY: boolean; columns: number }): string {
  const program = `
    const done = () => true;
    const drawing = { cursorTo: done, clearLine: done, moveCursor: done, getColorDepth: () => 1 };
    Object.assign(process.stdout, ${JSON.stringify(terminal)}, drawing);
    const { withProgress } = await import('${MODULE}');
    await withProgress('build', async (note) => note('of everything'));`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', NO_COLOR: '1' },
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
}

describe('something that takes a while', () => {
  it('is one plain line where there is no terminal', () => {
    expect(printWithProgress({ isTTY: false, columns: 0 })).toMatch(
      /^ {2}✓ build {6}of everything \(\d\.\d s\)\n$/,
    );
  });

  it('ends with the same line on a terminal that redraws it', () => {
    const printed = printWithProgress({ isTTY: true, columns: 100 });

    expect(printed).toContain('\u001B[');
    expect(printed).toMatch(/ {2}✓ build {6}of everything \(\d\.\d s\)\n/);
  });

  it('ends on a terminal that does not know its width, which says that it is 0', () => {
    expect(printWithProgress({ isTTY: true, columns: 0 })).toContain('✓ build');
  });
});
