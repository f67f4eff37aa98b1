// Unit specs for StrykerJS: in Jest's own module registry, because each mutant needs its modules anew.
export default {
  rootDir: '../..',
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
  testEnvironmentOptions: { customExportConditions: ['capstan-source', 'node', 'import', 'default'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.ts$': '@swc/jest' },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testMatch: [
    '<rootDir>/libs/{kernel,payloads,policy,tooling,config,concurrency,agent-core,executions}/**/*.spec.ts',
  ],
};
