import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { dependencyFaults, type LockedPackage } from './dependency-faults.js';
import { ROOT } from './repository-files.js';

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

describe('the packages that are installed', () => {
  it('have licences that fit, run no program at installation but known ones, and send no reports', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(300);
    expect(dependencyFaults(lock.packages)).toEqual([]);
  });

  it('are known by what they are, not by the name of their folder', () => {
    const placeholder = { name: 'nothing', license: 'MIT' };
    expect(dependencyFaults({ 'node_modules/@scarf/scarf': placeholder })).toEqual([]);
  });

  it.each<[LockedPackage & { readonly folder: string }, string]>([
    [{ folder: 'x', license: 'AGPL-3.0' }, 'x: its licence is AGPL-3.0'],
    [{ folder: '@a/x' }, '@a/x: its licence is not said'],
    [{ folder: 'x', dev: true, hasInstallScript: true }, 'x: runs a program when it is installed'],
    [{ folder: '@scarf/scarf', license: 'Apache-2.0' }, '@scarf/scarf: reports who uses it'],
  ])('would not be let in as %j', ({ folder, ...locked }, fault) => {
    expect(dependencyFaults({ '': {}, [`node_modules/b/node_modules/${folder}`]: locked })).toEqual([fault]);
  });
});
