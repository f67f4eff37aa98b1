import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Duration of each phase in its last complete run in this checkout, in ms, by phase name. */
export type PastTimes = Readonly<Record<string, number>>;

/** Empty in a checkout without a complete test run. */
export function readPastTimes(root: string): PastTimes {
  try {
    return JSON.parse(readFileSync(fileIn(root), 'utf8')) as PastTimes;
  } catch {
    return {};
  }
}

export function writePastTimes(root: string, times: PastTimes): void {
  mkdirSync(dirname(fileIn(root)), { recursive: true });
  writeFileSync(fileIn(root), JSON.stringify(times));
}

function fileIn(root: string): string {
  return join(root, 'node_modules', '.cache', 'capstan', 'test-times.json');
}
