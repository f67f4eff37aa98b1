import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const SOURCE = new URL('./heap-growth.ts', import.meta.url).href;

/** A program that retains much memory and allocates more temporarily, without end; prints the maximum heap size. */
const PROGRAM = `
  const held = Array.from({ length: 1_000_000 }, (_, at) => ({ at, of: [at] }));
  // Growth is counted from the first full collection.
  gc();
  const passing = new Array(100_000);
  let most = 0;
  for (let at = 0; at < 6_000_000; at += 1) {
    passing[at % passing.length] = { at, of: [at, at] };
    if (at % 20_000 === 0) most = Math.max(most, process.memoryUsage().heapTotal);
  }
  console.log(JSON.stringify({ most, held: held.length }));
`;

/** Maximum heap in bytes. `first` runs before the program. */
async function mostOf(first: string): Promise<number> {
  const args = [
    '--expose-gc',
    '--max-semi-space-size=8',
    '--max-old-space-size=2048',
    '--input-type=module',
    '-e',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, `${first}\n${PROGRAM}`]);
  return (JSON.parse(stdout) as { most: number }).most;
}

describe('setHeapGrowth', () => {
  it('keeps the heap of a process of one role below that of one without a bound, and of all roles below that', async () => {
    const boundOf = (...roles: string[]): Promise<number> => {
      const calls = roles.map((role) => `setHeapGrowth('${role}');`).join(' ');
      return mostOf(`import { setHeapGrowth } from ${JSON.stringify(SOURCE)}; ${calls}`);
    };
    const free = await mostOf('');
    const one = await boundOf('all', 'one');
    const all = await boundOf('all');

    expect(one).toBeLessThan(free * 0.75);
    expect(all).toBeLessThan(one * 0.9);
  });
});
