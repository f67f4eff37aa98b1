import { builtinModules } from 'node:module';
import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { house } from './scripts/lint/house-rules.mjs';

/**
 * How the code of this repository is written, as far as a machine can tell. Zero warnings; a rule is switched off only
 * beside its reason: `// eslint-disable-next-line <rule> -- <why>`. `test/architecture/lint-rules.spec.ts` breaks every
 * rule that is the house's own. Rules that ask the type checker stand in `.oxlintrc.json`; which file may import which is
 * said in `.dependency-cruiser.cjs`.
 */
const PURE_LIBRARIES = 'kernel,payloads,policy,tooling,config,concurrency,agent-core,executions';
const PURE_CODE = `libs/{${PURE_LIBRARIES}}/src/**/*.ts`;
const SPECS = '**/*.{spec,suite}.ts';
const CONSOLE = 'apps/console/src/**/*.{ts,tsx}';
const PLAIN_NODE = ['**/*.{js,mjs,cjs}'];

/** Builtins that compute and neither wait, read, write nor look at the machine. */
const PURE_BUILTINS = 'assert|path|string_decoder|url|util';
const BARE_BUILTINS = builtinModules.filter((name) => !name.startsWith('_') && !name.includes(':'));

/** In L0–L2 time, chance and the machine come in as arguments. */
const IMPURE_GLOBALS = [
  ...['process', 'Buffer', 'console', 'require', 'crypto', 'performance', 'navigator', 'WebAssembly'],
  ...['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel', 'MessageChannel', 'Worker'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'localStorage', 'sessionStorage', 'indexedDB'],
];

/** Stores of ordinary rows, which use repositories. The others say SQL where one statement does what several could not. */
const REPOSITORY_STORES = [
  'agent',
  'agent-version',
  'api-key',
  'connection',
  'connection-grant',
  'datasource',
  'document-changes',
  'document-search',
  'document-view',
  'domain-secret',
  'llm',
  'memory',
  'run-step',
  'session',
  'session-changes',
  'skill',
  'tenant',
  'tool-server',
  'tool-server-oauth',
  'tool-trial',
  'usage',
  'webhook-endpoint',
];

const UNUSED = {
  argsIgnorePattern: '^_',
  destructuredArrayIgnorePattern: '^_',
  varsIgnorePattern: '^_',
  ignoreRestSiblings: true,
  caughtErrors: 'all',
};

const FORWARD_REF = {
  selector: 'Identifier[name="forwardRef"]',
  message: 'Two modules that need each other are cut wrongly: move what both need into a third.',
};
const EXPORT_ALL = {
  selector: 'ExportAllDeclaration',
  message: 'A door names what it gives: export { … } from, never export *.',
};
const RAW_HTML = {
  selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
  message: 'Contents come from models, tools and users: show them as text or as sanitised Markdown.',
};
const CLOCK_READINGS = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'Take a Clock or a time as argument.',
  },
  { selector: 'CallExpression[callee.name="Date"]', message: 'Take a Clock or a time as argument.' },
];
/** Node takes the types away and changes nothing else. */
const NOT_ERASABLE = [
  ...['TSEnumDeclaration', 'TSParameterProperty', 'TSExportAssignment', 'TSImportEqualsDeclaration'],
  'TSModuleDeclaration:not([declare=true])',
].map((selector) => ({ selector, message: 'Node runs this file as it stands: syntax that is erased only.' }));
const BARE_BUILTIN = { regex: `^(${BARE_BUILTINS.join('|')})$`, message: 'Write builtins as node:<name>.' };
const NOT_BUILT = {
  regex: '^\\.{1,2}/.*\\.ts$',
  message: 'It is built first: name the .js that it becomes.',
};
const BEFORE_PACKAGES = {
  regex: '^(?!node:|\\./[\\w-]+\\.mjs$)',
  message: 'It runs before the packages are installed: builtins and its neighbours only.',
};
const PROCESS_ENV = {
  selector: 'MemberExpression[property.name="env"][object.property.name="process"]',
  message: 'Only the module that a program begins with reads the environment; it hands on plain options.',
};

export default defineConfig([
  // The programs of generated clients are compiled by their test, beside what is generated.
  globalIgnores([
    'dist/',
    'packages/*/dist/',
    'coverage/',
    'node_modules/',
    '.local/',
    'apps/console/generated/',
    'packages/*/generated/',
    'test/fixtures/generated-clients/use-*.ts',
  ]),
  js.configs.recommended,
  {
    name: 'house/everywhere',
    linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' },
    plugins: { house },
    rules: {
      // Texts from outside are read here, control characters among them.
      'no-control-regex': 'off',
      'no-eval': 'error',
      'no-self-compare': 'error',
      'no-unreachable-loop': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'house/no-drawers': 'error',
      'house/disable-with-reason': 'error',
      'house/narrow-comments': 'error',
      'house/plain-comments': 'error',
      'house/sql-keywords': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', FORWARD_REF],
      'no-restricted-imports': ['error', { patterns: [BARE_BUILTIN] }],
    },
  },
  {
    name: 'house/plain-node',
    files: PLAIN_NODE,
    languageOptions: {
      globals: Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly'])),
    },
    rules: { 'no-unused-vars': ['error', UNUSED] },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  {
    name: 'house/lists-of-mutants',
    files: ['test/mutations/{crash-rules,s2,s3,s4,statements}.ts'],
    // Data: one list for each document, however long it gets.
    rules: { 'max-lines': 'off' },
  },
  {
    name: 'house/typescript',
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strict],
    // As tsconfig.json has it, which is not read without the type checker.
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
    rules: {
      'house/private-keyword': 'error',
      // Leaves decorated files alone where the class itself is what Nest injects.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', UNUSED],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      // A Nest module is its decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
    },
  },
  {
    name: 'house/production',
    files: ['{apps,libs,packages}/**/*.{ts,tsx}'],
    ignores: [SPECS],
    rules: {
      'house/injection-tokens': 'error',
      'no-console': 'error',
      'no-restricted-imports': ['error', { patterns: [BARE_BUILTIN, NOT_BUILT] }],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message:
            'Only the module that a program begins with reads the environment; it hands on plain options.',
        },
      ],
      'no-restricted-syntax': ['error', FORWARD_REF, EXPORT_ALL, PROCESS_ENV],
    },
  },
  {
    name: 'house/apps',
    files: ['apps/**/*.{ts,tsx}'],
    ignores: [SPECS],
    rules: { 'house/sql-only-where-named': 'error', 'max-lines': ['error', { max: 250 }] },
  },
  {
    name: 'house/console',
    files: [CONSOLE],
    extends: [reactHooks.configs.flat['recommended-latest']],
    ignores: [SPECS],
    rules: {
      'no-eval': 'error',
      'no-restricted-syntax': ['error', EXPORT_ALL, RAW_HTML],
      // A list that only some rows of are in the page changes with every scroll; the compiler is not in use.
      'react-hooks/incompatible-library': 'off',
    },
  },
  {
    name: 'house/hooks-of-the-package',
    files: ['packages/*/src/react/**/*.ts'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    ignores: [SPECS],
  },
  {
    name: 'house/console-asks-by-the-client',
    files: [CONSOLE],
    ignores: [SPECS, 'apps/console/src/api/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          globals: ['fetch', 'EventSource', 'XMLHttpRequest', 'WebSocket'].map((name) => ({
            name,
            message: 'Requests go through the typed client of apps/console/src/api.',
          })),
          checkGlobalObject: true,
        },
      ],
    },
  },
  {
    name: 'house/repositories',
    files: [`libs/persistence/src/*/{${REPOSITORY_STORES.join(',')}}.store.ts`],
    rules: { 'house/sql-only-where-named': 'error' },
  },
  {
    name: 'house/mains',
    files: [
      '{apps,packages}/*/src/**/main.ts',
      'apps/worker/src/isolation/isolated.ts',
      'apps/worker/src/install-engine.ts',
      'libs/model-providers/src/claude-agent-sdk/claude-program.ts',
      'apps/console/vite.config.ts',
    ],
    rules: {
      'no-console': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', FORWARD_REF],
    },
  },
  {
    // Routes, schemas and entities of domains are made while modules load.
    name: 'house/domains-that-are-loaded',
    files: ['apps/{api,migrate,worker}/src/domains.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-syntax': ['error', FORWARD_REF, EXPORT_ALL] },
  },
  {
    name: 'house/pure',
    files: [PURE_CODE, 'libs/model-providers/src/wire/**/*.ts'],
    ignores: [SPECS],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          globals: IMPURE_GLOBALS.map((name) => ({
            name,
            message: 'L0–L2 are pure: it comes in as an argument.',
          })),
          checkGlobalObject: true,
        },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Take a Clock or a time as argument.' },
        { object: 'Math', property: 'random', message: 'Take an IdGenerator or a number as argument.' },
        { object: 'AbortSignal', property: 'timeout', message: 'Take an AbortSignal as argument.' },
      ],
      'no-restricted-syntax': ['error', FORWARD_REF, EXPORT_ALL, ...CLOCK_READINGS],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^node:(?!(${PURE_BUILTINS})(/|$))`,
              message: 'L0–L2 are pure: no input, output or machine.',
            },
            BARE_BUILTIN,
            NOT_BUILT,
          ],
        },
      ],
    },
  },
  {
    // Never edited once they are landed.
    name: 'house/migrations',
    files: ['libs/*/src/migrations/[0-9]*.ts'],
    rules: { 'house/narrow-comments': 'off' },
  },
  {
    name: 'house/run-as-typescript',
    files: ['{scripts,examples}/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', FORWARD_REF, ...NOT_ERASABLE] },
  },
  {
    name: 'house/before-the-packages',
    files: ['scripts/bootstrap/*.mjs'],
    rules: { 'no-restricted-imports': ['error', { patterns: [BEFORE_PACKAGES] }] },
  },
  {
    name: 'house/the-one-clock',
    files: ['libs/kernel/src/clock.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-globals': 'off' },
  },
]);
