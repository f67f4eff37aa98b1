import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadedFiles } from './loaded-files.ts';

const FILES = {
  'apps/api/src/main.js': `import 'reflect-metadata';\nimport { a } from "#libs/shared";`,
  'apps/worker/src/main.js': `import { a } from '#libs/shared';\nimport { orders } from '#libs/orders';`,
  // Started by its path, so no module imports it.
  'apps/worker/src/isolation/main.js': `const { late } = await import('../late.js');`,
  'apps/worker/src/late.js': `export const late = 1;`,
  'libs/orders/src/index.js': `export * from './orders.js';`,
  'libs/orders/src/orders.js': `import { a } from '#libs/shared';`,
  'libs/shared/src/index.js': `export { a } from './a.js';`,
  'libs/shared/src/a.js': `import './index.js';\nexport const a = 1;`,
  'libs/shared/src/unused.js': `export const unused = 1;`,
};

describe('modules loaded by a service', () => {
  let dist: string;
  beforeAll(() => {
    dist = mkdtempSync(join(tmpdir(), 'capstan-dist-'));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(dist, path)), { recursive: true });
      writeFileSync(join(dist, path), text);
    }
  });
  afterAll(() => rmSync(dist, { recursive: true, force: true }));

  it('is its own app, and of the libraries only what it comes to', () => {
    expect([...loadedFiles(dist, 'api')].toSorted()).toEqual([
      'apps/api/src/main.js',
      'libs/shared/src/a.js',
      'libs/shared/src/index.js',
    ]);
  });

  it('goes through libraries, and holds programs that are started by their path', () => {
    expect([...loadedFiles(dist, 'worker')].toSorted()).toEqual(
      Object.keys(FILES)
        .filter((path) => !path.startsWith('apps/api') && !path.endsWith('unused.js'))
        .toSorted(),
    );
  });
});
