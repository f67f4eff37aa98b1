import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { inPs, inStatus, residentMemory } from './resident-memory.js';

/** Not every system has `ps`. */
const HAS_PS = ['/usr/bin/ps', '/bin/ps'].some((path) => existsSync(path));

describe('the resident memory of a process', () => {
  it.each([
    ['Name:\tnode\nVmPeak:\t  900 kB\nVmRSS:\t     700 kB\nThreads:\t1\n', 716_800],
    ['Name:\tnode\nState:\tZ (zombie)\n', null],
  ])('is in %j', (status, bytes) => expect(inStatus(status)).toBe(bytes));

  it.each([
    [' 700\n', 716_800],
    ['', null],
    ['RSS\n 700\n', null],
  ])('is in the answer %j of ps', (answer, bytes) => expect(inPs(answer)).toBe(bytes));

  it.each(HAS_PS ? ['/proc', '/nowhere'] : ['/proc'])(
    'is that of this process, by %s or else by ps',
    async (proc) => {
      const own = process.memoryUsage.rss();
      const read = (await residentMemory(process.pid, proc)) ?? 0;
      expect(read).toBeGreaterThan(own / 2);
      expect(read).toBeLessThan(own * 2);
    },
  );

  it('is unknown of a process that is not there', async () => {
    expect(await residentMemory(4_194_305)).toBeNull();
  });
});
