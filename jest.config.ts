import type { Config } from 'jest';

// Enables the example domains, which most tests use; all processes of a run inherit the variable.
process.env['DOMAINS'] ??= 'order-entry,support-desk';

/** Spec files run inside their worker process on modules loaded once: test/runner/README.md. */
const base: Config = {
  globalSetup: '<rootDir>/test/support/services/run-setup.ts',
  runtime: '<rootDir>/test/runner/native-runtime.ts',
  testEnvironment: '<rootDir>/test/runner/native-environment.ts',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  // For `--watch` and `--findRelatedTests`; at run time Node resolves modules.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.ts$': '@swc/jest' },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
};

const services = { globalSetup: '<rootDir>/test/support/services/global-setup.ts' };
const programs = { globalSetup: '<rootDir>/test/support/services/programs-setup.ts' };

const config: Config = {
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{apps,bench,libs,scripts,test/runner,test/support}/**/*.spec.ts',
        // Pure helper code of process tests, one folder below them.
        '<rootDir>/test/{crash,e2e}/*/*/**/*.spec.ts',
      ],
    },
    {
      ...base,
      displayName: 'architecture',
      testMatch: ['<rootDir>/test/{architecture,mutations}/**/*.spec.ts'],
    },
    {
      ...base,
      ...services,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/{contract,integration}/**/*.spec.ts'],
    },
    // Each folder is a lane: `npm run test:all -- --lane crash/pipelines`.
    { ...base, ...programs, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/*/*.spec.ts'] },
    { ...base, ...programs, displayName: 'crash', testMatch: ['<rootDir>/test/crash/*/*.spec.ts'] },
  ],
  testSequencer: '<rootDir>/test/runner/seeded-order.ts',
  // Milliseconds. Ends a hanging test, not a slow one: tests start processes and share two cores. Longer than `waitFor`,
  // so that its error with the awaited condition comes first.
  testTimeout: 300_000,
  // Replaces a worker process above this size between two spec files, because loaded modules are never freed.
  workerIdleMemoryLimit: '1GB',
};
export default config;
