// Writes the types of openapi.json that the console and the package ask the API with, unless they are there from the same
// document.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SchemaObject } from 'openapi-typescript';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(root, 'openapi.json'), 'utf8');
await writeTypes('apps/console/generated/openapi.d.ts');
await writeTypes('packages/capstan/generated/openapi.ts');

/** A text that begins with fixed words and a point, by its pattern, such as `metadata.KEY`. */
function typeOfPrefixed(schema: SchemaObject): ts.TypeNode | undefined {
  const { type, pattern } = schema as { readonly type?: unknown; readonly pattern?: string };
  const words = type === 'string' ? /^\^((?:[\w,]|\\\.)+\\\.)\[/.exec(pattern ?? '')?.[1] : undefined;
  if (words === undefined) return undefined;
  const rest = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const span = ts.factory.createTemplateLiteralTypeSpan(rest, ts.factory.createTemplateTail(''));
  return ts.factory.createTemplateLiteralType(ts.factory.createTemplateHead(words.replaceAll('\\', '')), [
    span,
  ]);
}

async function writeTypes(file: string): Promise<void> {
  const target = join(root, file);
  const mark = `// Generated from openapi.json ${createHash('sha256').update(text).digest('hex')}\n`;
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(mark)) return;
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const types = astToString(
    await openapiTypes(text, { defaultNonNullable: false, transform: typeOfPrefixed }),
  );
  mkdirSync(dirname(target), { recursive: true });
  // Two checks may write it at once: each sees a whole file.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, mark + types);
  renameSync(draft, target);
}
