import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { ERROR_CATALOGUE, problemCodesOf, type ErrorDescription, type ErrorKind } from '#libs/kernel';
import { STATUS_OF_KIND } from '../../apps/api/src/http/problem-details.filter.js';
import { orderEntry } from '../../examples/order-entry/capstan/domains/order-entry/index.ts';
import { supportDesk } from '../../examples/support-desk/capstan/domains/support-desk/index.ts';
import { filesUnder, ROOT } from './repository-files.js';

const CODE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;
const described: Readonly<Record<string, ErrorDescription>> = ERROR_CATALOGUE;

/** An error code in the source, with the `kind` of the same object literal. */
interface UsedCode {
  readonly code: string;
  readonly kind: ErrorKind | null;
  readonly path: string;
}

const DOMAINS = [orderEntry, supportDesk];

/** Every `code` of an object literal in the sources of the service, without the simulator. */
function usedCodes(): UsedCode[] {
  return usedCodesIn('apps', 'libs').filter(({ path }) => !path.startsWith('apps/simulator/'));
}

function usedCodesIn(...folders: string[]): UsedCode[] {
  return folders
    .flatMap((folder) => filesUnder(folder))
    .filter(({ path }) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .flatMap(({ path, text }) => codesIn(text).map((used) => ({ ...used, path })));
}

function codesIn(text: string): Omit<UsedCode, 'path'>[] {
  const found: Omit<UsedCode, 'path'>[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const [kind = null] = textsOf(node, 'kind');
      for (const code of textsOf(node, 'code'))
        if (CODE.test(code)) found.push({ code, kind: kind as ErrorKind | null });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest));
  return found;
}

/** String values that a property can take, including both branches of a condition and a default. */
function textsOf(object: ts.ObjectLiteralExpression, name: string): string[] {
  return object.properties.flatMap((property) => {
    if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) return [];
    return property.name.text === name ? textsIn(property.initializer) : [];
  });
}

function textsIn(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...textsIn(node.left), ...textsIn(node.right)];
  return [];
}

describe('the codes of errors', () => {
  const used = usedCodes();

  it('are all in the catalogue, and the catalogue has no others', () => {
    expect([...new Set(used.map(({ code }) => code))].sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort());
  });

  it.each(DOMAINS)('in the domain $name are the service’s own or declared by it', (domain) => {
    const own = usedCodesIn(`examples/${domain.name}`).map(({ code }) => code);
    const added = [...new Set(own)].filter((code) => !Object.hasOwn(ERROR_CATALOGUE, code));
    expect(added.sort()).toEqual(Object.keys(domain.errors ?? {}).sort());
  });

  it('have the statuses that their kinds are answered with', () => {
    const wrong = used.filter(({ code, kind }) => {
      const status = described[code]?.status ?? [];
      return kind !== null && status.length > 0 && !status.includes(STATUS_OF_KIND[kind]);
    });
    // Only errors of the API are answered with a status; an error of a worker is stored with its execution.
    expect(wrong.filter(({ path }) => path.startsWith('apps/api/'))).toEqual([]);
  });

  it.each([
    ['openapi.json', []],
    ['examples/openapi.json', DOMAINS],
  ])('are in %s as far as clients meet them', (path, domains) => {
    const document = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as {
      components: { schemas: { Problem: { properties: { code: { enum?: string[] } } } } };
    };
    const all = [ERROR_CATALOGUE, ...domains.map(({ errors = {} }) => errors)].flatMap(problemCodesOf);
    expect(document.components.schemas.Problem.properties.code.enum).toEqual(all);
  });

  it('are found wherever they stand', () => {
    const text = `const a = { code: 'ONE', kind: 'denied' }; f({ code: x ?? 'TWO' }, { code: y ? 'THREE' : 'FOUR' }); const code = 'NO';`;
    expect(codesIn(text)).toEqual([
      { code: 'ONE', kind: 'denied' },
      { code: 'TWO', kind: null },
      { code: 'THREE', kind: null },
      { code: 'FOUR', kind: null },
    ]);
  });
});
