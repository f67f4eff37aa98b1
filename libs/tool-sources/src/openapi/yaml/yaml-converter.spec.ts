import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { YamlConverter } from './yaml-converter.js';

/** Whatever is to be read elsewhere, it cannot read. */
const converter = new YamlConverter({ program: join(import.meta.dirname, 'missing.js') });
const SHORT = 'openapi: 3.1.0\npaths: {}\n';

it('reads short texts here, long ones in a process of their own only', async () => {
  expect(await converter.toJson(SHORT)).toBe('{"openapi":"3.1.0","paths":{}}');
  const long = `# ${'long '.repeat(60_000)}\n${SHORT}`;
  const read = await converter.toJson(long).catch((error: unknown) => error);
  expect(read).toMatchObject({ message: 'the program that reads YAML has ended with 1' });
});
