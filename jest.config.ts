import type { Config } from 'jest';

const base: Config = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['capstan-source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.ts$': '@swc/jest' },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

const services = {
  globalSetup: '<rootDir>/test/support/services/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/services/global-teardown.ts',
};
const programs = { ...services, globalSetup: '<rootDir>/test/support/services/programs-setup.ts' };

const config: Config = {
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,bench,libs,scripts,test/support}/**/*.spec.ts'],
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
    { ...base, ...programs, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'] },
    { ...base, ...programs, displayName: 'crash', testMatch: ['<rootDir>/test/crash/**/*.spec.ts'] },
  ],
  // Tests start processes, and share two cores with whatever else runs: a hang, not slowness, ends one. Longer than a
  // wait of theirs (`waitFor`), which says what it waited for.
  testTimeout: 300_000,
  // A worker process that has grown is replaced between two test files: Jest frees no module that it loaded.
  workerIdleMemoryLimit: '2GB',
};
export default config;
