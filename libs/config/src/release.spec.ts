import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { RELEASE } from './release.js';

it('the release is the version of the package', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');

  expect(JSON.parse(text)).toMatchObject({ version: RELEASE });
});
