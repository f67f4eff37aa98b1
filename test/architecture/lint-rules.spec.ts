import { beforeAll, describe, expect, it } from '@jest/globals';
import { lintTexts } from './lint-texts.js';
import { exists } from './repository-files.js';
import { LINTER_TIME_LIMIT_MS } from './linter-time-limit.js';

/** Paths at which texts are linted; the files at these paths are not read. */
const PURE = 'libs/kernel/src/index.ts';
const CLOCK = 'libs/kernel/src/clock.ts';
const SPEC = 'libs/kernel/src/clock.spec.ts';
const ADAPTER = 'libs/persistence/src/index.ts';
const STORE = 'libs/persistence/src/resources/skill.store.ts';
const MAIN = 'apps/api/src/main.ts';
const SCRIPT = 'scripts/seeded.mjs';
const DOMAIN = 'examples/order-entry/capstan/domains/order-entry/index.ts';
const TOKENS = 'apps/api/src/api.tokens.ts';
const TEST = 'test/architecture/repository-files.ts';
const TYPESCRIPT_SCRIPT = 'scripts/local/ports.ts';
const SCREEN = 'apps/console/src/runs/seeded.tsx';
const BOOTSTRAP = 'scripts/bootstrap/seeded.mjs';

/** Text of a spec with imports of the functions that it uses. */
function titled(text: string): string {
  const names = ['describe', 'it', 'test'].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `import { ${names.join(', ')} } from '@jest/globals'; ${text}`;
}

const DECORATOR = 'function Injectable(): ClassDecorator { return () => undefined; }';

/** Rule that must report an error, path, and text. */
const BROKEN: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['no-restricted-properties', PURE, 'export const now = Date.now();'],
  ['no-restricted-properties', PURE, 'export const dice = Math.random();'],
  ['no-restricted-properties', PURE, 'export const limit = AbortSignal.timeout(5);'],
  ['no-restricted-properties', ADAPTER, 'export const home = process.env;'],
  ['no-restricted-properties', ADAPTER, 'export const { env } = process;'],
  ['no-restricted-syntax', ADAPTER, 'export const home = globalThis.process.env;'],
  ['no-restricted-syntax', PURE, 'export const today = new Date();'],
  ['no-restricted-syntax', PURE, 'export const today = Date();'],
  ['no-restricted-syntax', PURE, `export * from './app-error.js';`],
  [
    'no-restricted-syntax',
    MAIN,
    'export const late = (forwardRef: (of: () => number) => void) => forwardRef(() => 1);',
  ],
  ['no-restricted-globals', PURE, 'export const here = process.cwd();'],
  ['no-restricted-globals', PURE, 'export const here = globalThis.process;'],
  ['no-restricted-globals', PURE, `export const page = fetch('https://example.com');`],
  ['no-restricted-globals', PURE, 'export const later = setTimeout(() => undefined, 1);'],
  ['no-restricted-globals', PURE, `export const bytes = Buffer.from('text');`],
  ['no-restricted-imports', PURE, `export { readFile } from 'node:fs/promises';`],
  ['no-restricted-imports', ADAPTER, `export { readFile } from 'fs/promises';`],
  ['no-restricted-imports', ADAPTER, `export { createDataSource } from './create-data-source.ts';`],
  ['no-restricted-imports', PURE, `export { AppError } from './app-error.ts';`],
  ['no-console', ADAPTER, `console.log('stored');`],
  ['no-restricted-globals', SCREEN, `export const runs = fetch('/api/executions/');`],
  ['no-restricted-globals', SCREEN, `export const events = new EventSource('/api/executions/1/events/');`],
  [
    'no-restricted-syntax',
    SCREEN,
    'export const Raw = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;',
  ],
  [
    'react-hooks/rules-of-hooks',
    SCREEN,
    'export const Row = () => { if (location.hash) useId(); return null; };',
  ],
  ['house/no-drawers', 'scripts/utils.mjs', 'export const a = 1;'],
  ['house/no-drawers', 'scripts/string-helpers.mjs', 'export const a = 1;'],
  ['house/no-drawers', 'scripts/common/ports.mjs', 'export const a = 1;'],
  ['house/disable-with-reason', SCRIPT, '// eslint-disable-next-line no-var\nexport var a = 1;'],
  ['house/disable-with-reason', SCRIPT, '/* eslint-disable */\nexport var a = 1;'],
  [
    'house/disable-with-reason',
    SCRIPT,
    '// oxlint-disable-next-line typescript/no-deprecated\nexport const a = 1;',
  ],
  ['house/disable-with-reason', SCRIPT, 'export var a = 1; // eslint-disable-line -- because'],
  ['house/narrow-comments', SCRIPT, `// ${'why '.repeat(31)}`],
  ['house/narrow-comments', ADAPTER, `/**\n * ${'why '.repeat(31)}\n */\nexport const a = 1;`],
  ['house/plain-comments', SCRIPT, '// What a client sends.\nexport const a = 1;'],
  ['house/plain-comments', PURE, '/**\n * Of the client.\n */\nexport const a = 1;'],
  ['house/plain-comments', PURE, 'export const a = 1; // That of the tenant'],
  ['house/plain-comments', SCRIPT, '// The token is sent\n// to whoever asks.\nexport const a = 1;'],
  ['house/plain-comments', PURE, '/** Somebody has claimed the execution. */\nexport const a = 1;'],
  ['house/plain-comments', PURE, '// Anybody may claim it meanwhile.\nexport const a = 1;'],
  ['house/plain-comments', SPEC, titled(`describe('what a client sends', () => undefined);`)],
  ['house/plain-comments', SPEC, titled(`it('of a tenant is kept', () => undefined);`)],
  ['house/plain-comments', SPEC, titled(`it.skip('asks nobody', () => undefined);`)],
  ['house/plain-comments', SPEC, titled(`it.each([1, 2])('that is %i is kept', () => undefined);`)],
  ['house/plain-comments', SPEC, titled('test.each([1])(`ends whatever comes`, () => undefined);')],
  ['house/plain-comments', SPEC, titled(`it.each([['of a tenant', 1]])('%s', () => undefined);`)],
  [
    'house/plain-comments',
    SPEC,
    titled(`const ROWS = [{ at: 1, who: 'nobody' }]; it.each([...ROWS])('asks $who', () => undefined);`),
  ],
  [
    'house/plain-comments',
    SPEC,
    titled(`const describeHere = describe; describeHere('whose worker died', () => undefined);`),
  ],
  ['no-restricted-syntax', TYPESCRIPT_SCRIPT, 'export enum Colour { Red }'],
  ['no-restricted-syntax', TYPESCRIPT_SCRIPT, 'export class Point { constructor(readonly x: number) {} }'],
  ['no-restricted-imports', BOOTSTRAP, `export { execa } from 'execa';`],
  ['no-restricted-imports', BOOTSTRAP, `export { say } from '../local/terminal.ts';`],
  ['no-undef', SCRIPT, 'export const a = missing;'],
  ['typescript/no-floating-promises', MAIN, 'Promise.resolve(1);'],
  ['typescript/no-misused-promises', MAIN, '[1].forEach(async () => { await Promise.resolve(); });'],
  [
    'typescript/switch-exhaustiveness-check',
    MAIN,
    `export function f(x: 'a' | 'b') { switch (x) { case 'a': return 1; } return 2; }`,
  ],
  [
    '@typescript-eslint/consistent-type-imports',
    ADAPTER,
    `import { AppError } from '#libs/kernel'; export type Failure = AppError;`,
  ],
  ['@typescript-eslint/no-explicit-any', ADAPTER, 'export type Anything = any;'],
  ['typescript/only-throw-error', ADAPTER, `export function f() { throw 'text'; }`],
  [
    '@typescript-eslint/no-non-null-assertion',
    ADAPTER,
    'export const first = (list: readonly { id: number }[]) => list.at(0)!.id;',
  ],
  ['house/private-keyword', PURE, 'export class Box { #inside = 1; open() { return this.#inside; } }'],
  [
    'house/private-keyword',
    ADAPTER,
    'export class Box { open() { return this.#look(); } #look() { return 1; } }',
  ],
  [
    'house/private-keyword',
    TEST,
    'export class Box { get #inside() { return 1; } open() { return this.#inside; } }',
  ],
  ['house/sql-keywords', ADAPTER, `export const sql = 'select id FROM agent';`],
  ['house/sql-keywords', DOMAIN, 'export const sql = `UPDATE agent SET name = $1\\n where id = $2`;'],
  [
    'house/sql-keywords',
    DOMAIN,
    'export const sql = (id: string) => `WITH x AS (SELECT ${id}) select id FROM x`;',
  ],
  ['house/sql-keywords', TEST, `export const sql = 'create table parcel (code text)';`],
  ['house/sql-keywords', SCRIPT, `export const sql = 'delete from agent';`],
  ['house/sql-only-where-named', MAIN, `export const sql = 'SELECT id FROM agent';`],
  [
    'house/sql-only-where-named',
    MAIN,
    'export const sql = (id: number) => `DELETE FROM agent WHERE id = ${id}`;',
  ],
  ['house/sql-only-where-named', STORE, `export const sql = 'SELECT id FROM skill';`],
  ['house/injection-tokens', ADAPTER, `export const clock = { provide: 'clock', useValue: 1 };`],
  [
    'house/injection-tokens',
    MAIN,
    `function Inject(_token: string): ParameterDecorator { return () => undefined; }
       export class Service { constructor(@Inject('clock') readonly clock: number) {} }`,
  ],
  ['house/injection-tokens', MAIN, `export const CLOCK = Symbol('clock');`],
];

/** Title, path and text of code without a lint error. */
const SOUND: readonly (readonly [what: string, path: string, text: string])[] = [
  [
    'the one system clock',
    CLOCK,
    'export const systemClock = { now: () => Date.now(), monotonic: () => performance.now() };',
  ],
  ['a date that was given', PURE, 'export const at = (time: number) => new Date(time);'],
  ['a pure builtin', PURE, `export { posix } from 'node:path';`],
  ['an adapter that waits', ADAPTER, 'export const later = (go: () => void) => setTimeout(go, 1);'],
  ['main.ts that reads the environment', MAIN, 'export const home = process.env;'],
  [
    'a script that needs no packages',
    BOOTSTRAP,
    `export { join } from 'node:path'; export { ROOT } from './bootstrap.mjs';`,
  ],
  ['a script that reads the environment', SCRIPT, `console.log(process.env['HOME']);`],
  [
    'a rule switched off with its reason',
    SCRIPT,
    '// eslint-disable-next-line no-var -- old syntax is the point\nexport var a = 1;',
  ],
  [
    'a line of a comment that begins like a clause',
    SCRIPT,
    '// The worker retries the call.\n// Then it gives up.\nexport const a = 1;',
  ],
  ['a title that names the thing', SPEC, titled(`it('waits for a slot', () => undefined);`)],
  [
    'a row of a table in the middle of a title',
    SPEC,
    titled(`it.each([['of a tenant', 1]])('keeps the file %s', () => undefined);`),
  ],
  ['a question in a text', PURE, `export const question = 'What does nobody know?';`],
  ['a private member', PURE, 'export class Box { private inside = 1; open() { return this.inside; } }'],
  [
    'SQL whose names, functions and texts are small',
    ADAPTER,
    `export const sql = "SELECT now() - interval '1 day', true FROM agent WHERE name = 'select from' -- as in";`,
  ],
  [
    'a sentence that begins like SQL',
    PURE,
    `export const hint = 'update your agent, or delete it from the list';`,
  ],
  ['SQL of a store', ADAPTER, `export const sql = 'SELECT id FROM agent';`],
  ['a token among the tokens of its app', TOKENS, `export const CLOCK = Symbol('clock');`],
  [
    'a token of one file',
    ADAPTER,
    `const CLOCK = Symbol('clock'); export const clock = { provide: CLOCK, useValue: 1 };`,
  ],
  ['a number in a text', PURE, 'export const say = (count: number) => `${count} items`;'],
  ['a module that is only its decorator', MAIN, `${DECORATOR} @Injectable() export class MainModule {}`],
  [
    'the value import of a class that is injected',
    MAIN,
    `import { AppError } from '#libs/kernel'; ${DECORATOR}
       @Injectable() export class Service { constructor(readonly error: AppError) {} }`,
  ],
];

const PURE_LIBRARIES = [
  'kernel',
  'payloads',
  'policy',
  'tooling',
  'config',
  'concurrency',
  'agent-core',
  'executions',
].filter((name) => exists(`libs/${name}/src/index.ts`));
const PURE_FILES = [
  ...PURE_LIBRARIES.map((name) => `libs/${name}/src/index.ts`),
  'libs/model-providers/src/wire/model-calls/read-json.ts',
];
const IMPURE = 'export const here = process;';
const LINES_300 = `export let a;${'\na = 1;'.repeat(299)}`;
const LINES_301 = `${LINES_300}\na = 2;`;
const LINES_250 = `export let a = 0;${'\na = 1;'.repeat(249)}`;
const LINES_251 = `${LINES_250}\na = 2;`;

let answers: ReadonlyMap<string, readonly string[]>;
const keyOf = (path: string, text: string): string => `${path}\n${text}`;
const complaints = (path: string, text: string): readonly string[] | undefined =>
  answers.get(keyOf(path, text));

beforeAll(() => {
  const questions = [
    ...[...BROKEN, ...SOUND].map(([, path, text]) => ({ path, text })),
    ...[LINES_300, LINES_301].map((text) => ({ path: SCRIPT, text })),
    ...[LINES_250, LINES_251].map((text) => ({ path: MAIN, text })),
    ...PURE_FILES.map((path) => ({ path, text: IMPURE })),
  ];
  const lists = lintTexts(questions);
  answers = new Map(questions.map(({ path, text }, index) => [keyOf(path, text), lists[index] ?? []]));
}, LINTER_TIME_LIMIT_MS);

describe('the linter', () => {
  it.each(BROKEN)('complains with %s in %s about %j', (rule, path, text) => {
    expect(complaints(path, text)).toEqual([rule]);
  });

  it.each(SOUND)('lets pass %s', (_what, path, text) => {
    expect(complaints(path, text)).toEqual([]);
  });

  it('complains about the 301st line of a file and not about the 300th', () => {
    expect(complaints(SCRIPT, LINES_300)).toEqual([]);
    expect(complaints(SCRIPT, LINES_301)).toEqual(['max-lines']);
  });

  it('complains about the 251st line of a file of an app and not about the 250th', () => {
    expect(complaints(MAIN, LINES_250)).toEqual([]);
    expect(complaints(MAIN, LINES_251)).toEqual(['max-lines']);
  });

  it.each(PURE_FILES)('holds %s to be pure', (path) => {
    expect(complaints(path, IMPURE)).toEqual(['no-restricted-globals']);
  });
});
