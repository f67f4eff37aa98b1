import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { inPs, inStatus, residentMemory } from './resident-memory.js';

/** Not every system has `ps`. */
const HAS_PS = ['/usr/bin/ps', '/bin/ps'].some((path) => existsSync(path));
const NOWHERE = '/nowhere';
/** Above every process id. */
const NO_PROCESS = 4_194_305;

describe('the resident memory of a process', () => {
  it.each([
    ['Name:\tnode\nVmPeak:\t  900 kB\nVmRSS:\t     700 kB\nThreads:\t1\n', 716_800],
    ['Name:\tnode\nState:\tZ (zombie)\n', 'ended'],
    ['', 'ended'],
  ])('is in %j', (status, bytes) => expect(inStatus(status)).toBe(bytes));

  it.each([
    [' 700\n', 716_800],
    ['', 'unknown'],
    ['RSS\n 700\n', 'unknown'],
  ])('is in the answer %j of ps', (answer, bytes) => expect(inPs(answer)).toBe(bytes));

  const places = HAS_PS ? ['/proc', NOWHERE] : ['/proc'];

  it.each(places)('is that of this process, by %s or else by ps', async (proc) => {
    const own = process.memoryUsage.rss();
    const read = Number(await residentMemory(process.pid, { proc }));
    expect(read).toBeGreaterThan(own / 2);
    expect(read).toBeLessThan(own * 2);
  });

  it.each(places)('is that of an ended process where there is none, by %s or else by ps', async (proc) => {
    expect(await residentMemory(NO_PROCESS, { proc })).toBe('ended');
  });

  it.each([
    ['there is no ps', NOWHERE],
    ['ps knows other options', process.execPath],
  ])('is unknown without /proc where %s', async (_case, ps) => {
    expect(await residentMemory(process.pid, { proc: NOWHERE, ps })).toBe('unknown');
  });
});
