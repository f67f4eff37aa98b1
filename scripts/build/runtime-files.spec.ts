import { describe, expect, it } from '@jest/globals';
import { isLicence, packageFolder } from './runtime-files.ts';

describe('the package of a bundled module', () => {
  it.each([
    ['node_modules/pg/lib/client.js', 'node_modules/pg'],
    ['node_modules/@nestjs/core/index.js', 'node_modules/@nestjs/core'],
    ['node_modules/a/node_modules/@b/c/d/e.js', 'node_modules/a/node_modules/@b/c'],
    ['apps/api/src/main.ts', null],
  ])('for %s is %s', (input, folder) => {
    expect(packageFolder(input)).toBe(folder);
  });
});

describe('a licence', () => {
  it.each(['LICENSE', 'LICENCE.md', 'license.txt', 'NOTICE', 'COPYING'])('is %s', (file) => {
    expect(isLicence(file)).toBe(true);
  });
  it.each(['README.md', 'package.json', 'index.js'])('is not %s', (file) => {
    expect(isLicence(file)).toBe(false);
  });
});
