import { expect, it } from '@jest/globals';
import { filesUnder } from '../../architecture/repository-files.js';

/** Matches an exported schema of an object without fields. */
const EMPTY = /export const \w+(: [^=]+)? = z\s*\.(object|strictObject)\(\s*\{\s*\}\s*\)\s*;/;

const schemas = ['libs', 'apps']
  .flatMap((folder) => filesUnder(folder))
  .filter(({ path }) => path.endsWith('.ts') && !path.endsWith('.spec.ts'));

it('schemas of nothing stand where they are used, and are nowhere exported (S2-7)', () => {
  expect(EMPTY.test('export const nothingSchema = z.object({});')).toBe(true);
  expect(EMPTY.test('export const pageSchema = z.object({ limit });')).toBe(false);
  expect(EMPTY.test('export const filterSchema = z.object({}).catchall(z.string());')).toBe(false);
  expect(schemas.filter(({ text }) => EMPTY.test(text)).map(({ path }) => path)).toEqual([]);
});
