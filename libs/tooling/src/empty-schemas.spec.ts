import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOLDERS = ['apps', 'libs'];
/** A schema of an object without fields that others are given by its name. */
const EXPORTED = /export const \w+(?:: [^=]+)? = z\.(?:object|strictObject|looseObject)\(\{\s*\}\)/;

function filesWithCode(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
      .map((name) => join(folder, name)),
  );
}

describe('schemas of objects without fields', () => {
  it('stand where they are used, in no file of their own (S2-7)', () => {
    const files = filesWithCode();
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((file) => EXPORTED.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it.each([
    ['export const NoInput = z.object({});', true],
    ['export const NoInput: z.ZodType = z.strictObject({\n});', true],
    ['const anyResult = z.looseObject({});', false],
    ['defineTool({ input: z.object({}) })', false],
    ['export const Input = z.object({ id: z.int() });', false],
  ])('are known: %j (S2-7)', (code, isExported) => {
    expect(EXPORTED.test(code)).toBe(isExported);
  });
});
