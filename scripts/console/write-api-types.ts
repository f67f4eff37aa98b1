// Writes the types of openapi.json that the console asks the API with, unless they are there from the same document.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const target = join(root, 'apps/console/generated/openapi.d.ts');

const document = readFileSync(join(root, 'openapi.json'), 'utf8');
const mark = `// Generated from openapi.json ${createHash('sha256').update(document).digest('hex')}\n`;
if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(mark)) {
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const types = astToString(await openapiTypes(document, { defaultNonNullable: false }));
  mkdirSync(dirname(target), { recursive: true });
  // Two checks may write it at once: each sees a whole file.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, mark + types);
  renameSync(draft, target);
}
