import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { z } from 'zod';
import { lintTexts } from './lint-texts.js';
import { LINTER_TIME_LIMIT_MS } from './linter-time-limit.js';

/** Texts that break each rule; a text may break other rules too. */
const BROKEN: Readonly<Record<string, readonly string[]>> = {
  'await-thenable': ['export const f = async () => { await 1; };'],
  'consistent-type-exports': [`import { AppError } from '#libs/kernel'; type A = AppError; export { A };`],
  'no-array-delete': ['export const f = (list: number[]) => { delete list[0]; };'],
  'no-base-to-string': ['export const f = (thing: object) => String(thing);'],
  'no-confusing-void-expression': [
    'export const f = (g: () => void): number => { const a = g(); return a === undefined ? 1 : 2; };',
  ],
  'no-deprecated': ['/** @deprecated */ const old = () => 1; export const f = () => old();'],
  'no-duplicate-type-constituents': ['export type A = string | number | string;'],
  'no-floating-promises': [
    'Promise.resolve(1);',
    'export const f = (g: () => Promise<void>) => { g(); };',
    '[1].map(async () => { await Promise.resolve(); });',
  ],
  'no-for-in-array': [
    'export const f = (list: number[]) => { for (const i in list) process.exitCode = +i; };',
  ],
  'no-generated-empty-object-type': [`export type A = Pick<{ a: 1 }, never>;`],
  'no-implied-eval': [`setTimeout('1 + 1', 1);`],
  'no-meaningless-void-operator': ['export const f = (g: () => void) => { void g(); };'],
  'no-misused-promises': [
    '[1].forEach(async () => { await Promise.resolve(); });',
    'export const f = (p: Promise<boolean>) => { if (p) return 1; return 2; };',
    'export const a: { f: () => void } = { f: async () => { await Promise.resolve(); } };',
    'export const f = (p: Promise<{ a: 1 }>) => ({ ...p });',
  ],
  'no-misused-spread': [
    'export const f = (m: Map<string, number>) => ({ ...m });',
    'export const f = (p: Promise<object>) => ({ ...p });',
  ],
  'no-mixed-enums': [`export enum A { a = 1, b = 'b' }`],
  'no-redundant-type-constituents': ['export type A = unknown | string;'],
  'no-unnecessary-boolean-literal-compare': ['export const f = (a: boolean) => a === true;'],
  'no-unnecessary-condition': [
    'export const f = (a: { b: number }) => a?.b;',
    `export const f = (a: 'x') => (a ? 1 : 2);`,
    'export const f = (a: string) => a ?? 1;',
    'export const f = () => { const on = true as const; while (on) process.exitCode = 1; };',
  ],
  'no-unnecessary-template-expression': ['export const f = (a: string) => `${a}`;'],
  'no-unnecessary-type-arguments': [
    'const g = <T = string>(a?: T) => a; export const f = () => g<string>();',
  ],
  'no-unnecessary-type-assertion': [
    'export const f = (a: string) => a as string;',
    'export const f = (a: string) => a!;',
  ],
  'no-unnecessary-type-conversion': ['export const f = (a: string) => String(a);'],
  'no-unnecessary-type-parameters': [
    'export const f = <T,>(a: T): void => { process.exitCode = Number(a); };',
  ],
  'no-unsafe-argument': ['export const f = (a: any, g: (b: string) => void) => { g(a); };'],
  'no-unsafe-assignment': [
    'export const f = (a: any) => { const b = a; return typeof b; };',
    `export const a: { b: string } = { b: JSON.parse('1') };`,
  ],
  'no-unsafe-call': ['export const f = (a: any) => { a(); };'],
  'no-unsafe-enum-assignment': [
    'enum A { a = 1, b = 2 } export const f = (n: number): A => { let a = A.a; a = n; return a; };',
  ],
  'no-unsafe-enum-comparison': ['enum A { a = 1, b = 2 } export const f = (a: A) => a === 1;'],
  'no-unsafe-member-access': ['export const f = (a: any) => typeof a.b;'],
  'no-unsafe-return': ['export const f = (a: any) => { return a; };'],
  'no-unsafe-unary-minus': ['export const f = (a: string) => -a;'],
  'no-useless-default-assignment': ['export const f = ({ a = 1 }: { a: number }) => a;'],
  'only-throw-error': [`export const f = () => { throw 'text'; };`],
  'prefer-promise-reject-errors': [`export const f = () => Promise.reject('text');`],
  'prefer-reduce-type-parameter': [
    'export const f = (list: number[]) => list.reduce((all, n) => [...all, n], [] as number[]);',
  ],
  'prefer-return-this-type': ['export class A { f(): A { return this; } }'],
  'related-getter-setter-pairs': [
    'export class A { get a(): string | undefined { return "a"; } set a(b: string) { process.title = b; } }',
  ],
  'restrict-plus-operands': [
    `export const f = (a: number) => a + 'text';`,
    `export const f = (a: any) => a + 'text';`,
    `export const f = (a: boolean) => a + 'text';`,
    `export const f = (a: string | undefined) => a + 'text';`,
  ],
  'restrict-template-expressions': ['export const f = (a: object) => `${a} of it`;'],
  'return-await': [
    'export const f = async (g: () => Promise<void>) => { try { return g(); } catch { return undefined; } };',
  ],
  'switch-exhaustiveness-check': [
    `export function f(x: 'a' | 'b') { switch (x) { case 'a': return 1; } return 2; }`,
    'export function f(x: number) { switch (x) { case 1: return 1; } return 2; }',
  ],
  'unbound-method': ['class A { a = 1; f() { return this.a; } } export const f = (a: A) => a.f;'],
  'use-unknown-in-catch-callback-variable': [
    'export const f = (p: Promise<void>) => p.catch((error) => { process.exitCode = Number(error); });',
  ],
};

/** Texts that a rule accepts because of its options. */
const SOUND: Readonly<Record<string, readonly string[]>> = {
  'no-confusing-void-expression': [
    'export const f = (g: () => void) => g();',
    'export function f(g: () => void): void { return g(); }',
  ],
  'no-misused-spread': ['export const f = (text: string) => [...text];'],
  'no-unnecessary-condition': ['export const f = () => { while (true) process.exitCode = 1; };'],
  'restrict-template-expressions': ['export const f = (a: number) => `${a} items`;'],
  'switch-exhaustiveness-check': [
    `export function f(x: 'a' | 'b') { switch (x) { case 'a': return 1; default: return 2; } }`,
  ],
};

/** Typed rules of typescript-eslint's strictest list that this project does not use. */
const NOT_HELD = [
  // A port is an abstract class without code, and a fake of it is a plain object.
  'no-unsafe-class-instance-assignment',
  // A port returns promises, also from an adapter or fake that awaits nothing.
  'require-await',
];

/** Rules that this project uses in addition to the strictest list. */
const HELD_TOO = ['consistent-type-exports', 'switch-exhaustiveness-check'];

const Config = z.object({ rules: z.record(z.string(), z.unknown()) });

/** Rules of `.oxlintrc.json`, without the plugin's name. */
function heldRules(): string[] {
  const path = join(import.meta.dirname, '../../.oxlintrc.json');
  const { config } = ts.parseConfigFileTextToJson(path, readFileSync(path, 'utf8')) as { config: unknown };
  const rules = Object.entries(Config.parse(config).rules);
  return rules.filter(([, how]) => [how].flat()[0] === 'error').map(([name]) => withoutPlugin(name));
}

const withoutPlugin = (name: string): string => name.slice(name.indexOf('/') + 1);

type Rules = Partial<Record<string, unknown>>;

const switchedOn = (configs: readonly { readonly rules?: Rules }[]): string[] =>
  configs
    .flatMap(({ rules }) => Object.entries(rules ?? {}))
    .filter(([name, how]) => name.startsWith('@typescript-eslint/') && how !== 'off')
    .map(([name]) => withoutPlugin(name));

/** Rules of the strictest list that need type information. */
function strictRules(): string[] {
  const untyped = new Set(switchedOn(tseslint.configs.strict));
  return switchedOn(tseslint.configs.strictTypeChecked).filter((name) => !untyped.has(name));
}

const rowsOf = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([rule, texts]) => texts.map((text) => [rule, text] as const));

const answers = new Map<string, readonly string[]>();

beforeAll(() => {
  const texts = [...rowsOf(BROKEN), ...rowsOf(SOUND)].map(([, text]) => text);
  const lists = lintTexts(texts.map((text) => ({ path: 'test/architecture/linter-time-limit.ts', text })));
  texts.forEach((text, index) => answers.set(text, lists[index] ?? []));
}, LINTER_TIME_LIMIT_MS);

describe('the rules that ask the type checker', () => {
  it('are those of typescript-eslint, but for the named ones', () => {
    expect(heldRules().sort()).toEqual(
      [...strictRules().filter((name) => !NOT_HELD.includes(name)), ...HELD_TOO].sort(),
    );
  });

  it('are each broken here', () => {
    expect(Object.keys(BROKEN).sort()).toEqual(heldRules().sort());
  });

  it.each(rowsOf(BROKEN))('complain with %s about %j', (rule, text) => {
    expect(answers.get(text)).toContain(`typescript/${rule}`);
  });

  it.each(rowsOf(SOUND))('let pass, for all of %s, %j', (rule, text) => {
    expect(answers.get(text)).not.toContain(`typescript/${rule}`);
  });
});
