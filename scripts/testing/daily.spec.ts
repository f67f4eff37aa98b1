import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { NOT_DAILY, notDailyPattern } from './daily.ts';

const ROOT = join(import.meta.dirname, '../..');
const SPECS = globSync('test/{architecture/*,{crash,e2e}/*/*}.spec.ts', { cwd: ROOT });

describe('the spec files of which npm test runs nothing', () => {
  it('are there, each once, in order', () => {
    const paths = NOT_DAILY.map((name) => `test/${name}.spec.ts`);
    expect(paths.filter((path) => !SPECS.includes(path))).toEqual([]);
    expect(NOT_DAILY).toEqual([...new Set(NOT_DAILY)].toSorted());
  });

  it('are those that the pattern matches, and no others', () => {
    const pattern = new RegExp(notDailyPattern());
    expect(SPECS.filter((path) => pattern.test(`/root/${path}`)).toSorted()).toEqual(
      NOT_DAILY.map((name) => `test/${name}.spec.ts`).toSorted(),
    );
    expect(pattern.test('/root/test/crash/chaos/checks/check-world.spec.ts')).toBe(false);
  });
});
