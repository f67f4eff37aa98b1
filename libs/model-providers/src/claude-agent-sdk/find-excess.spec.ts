import { expect, it } from '@jest/globals';
import { findExcess } from './find-excess.js';

const HUGE = 2 ** 50;
const ROOM = { mostRssBytes: HUGE, mostFiles: { bytes: HUGE, files: HUGE } };
const NO_HOME = '/nowhere';
const SILENT_SYSTEM = { proc: '/nowhere', ps: '/nowhere' };
/** Above every process id. */
const NO_PROCESS = 4_194_305;

it.each([
  ['is within its limits', process.pid, NO_HOME, ROOM, {}, null],
  ['has ended', NO_PROCESS, NO_HOME, { ...ROOM, mostRssBytes: 0 }, {}, null],
  ['takes too much memory', process.pid, NO_HOME, { ...ROOM, mostRssBytes: 1 }, {}, 'out_of_memory'],
  ['has memory that the system does not report', process.pid, NO_HOME, ROOM, SILENT_SYSTEM, 'unmeasured'],
  [
    'has too many files',
    process.pid,
    import.meta.dirname,
    { ...ROOM, mostFiles: { bytes: HUGE, files: -1 } },
    {},
    'out_of_disk',
  ],
  ['has files that cannot be read', process.pid, import.meta.filename, ROOM, {}, 'files_unmeasured'],
])('the limits of an engine that %s', async (_case, pid, home, limits, sources, excess) =>
  expect(await findExcess({ pid, home }, limits, sources)).toBe(excess),
);
