import type { Config } from 'jest';
import { EXAMPLE_ENVIRONMENT } from './scripts/example/environment.ts';

// The examples, of which most tests make use; every process of a run inherits them.
for (const [name, value] of Object.entries(EXAMPLE_ENVIRONMENT)) process.env[name] ??= value;

/** Spec files run in their worker process itself, on modules that it has loaded once: test/runner/README.md. */
const base: Config = {
  globalSetup: '<rootDir>/test/support/services/run-setup.ts',
  runtime: '<rootDir>/test/runner/native-runtime.ts',
  testEnvironment: '<rootDir>/test/runner/native-environment.ts',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  // For `--watch` and `--findRelatedTests`; Node resolves what runs.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.ts$': '@swc/jest' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/packages/[^/]+/dist/'],
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
        '<rootDir>/{apps,bench,libs,packages,scripts,test/runner,test/support}/**/*.spec.ts',
        // Pure code of the tests of processes: a folder below those that have these.
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
  // Tests start processes, and share two cores with other work: a hang, not slowness, ends one. It is longer than
  // a wait of theirs (`waitFor`), which says what it waited for.
  testTimeout: 300_000,
  // A worker process with a larger heap is replaced between two spec files, because modules are never unloaded.
  workerIdleMemoryLimit: '1GB',
  // A process with the modules of many specs has nothing open at its end, and still takes a second to be gone.
  workerGracefulExitTimeout: 10_000,
};
export default config;
