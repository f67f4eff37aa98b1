// StrykerJS on the pure libraries. `npm run mutate` names the files; see CONTRIBUTING.md.
const PURE_LIBRARIES =
  'kernel,payloads,policy,tooling,config,concurrency,agent-core,executions,model-providers/src/wire';

export default {
  packageManager: 'npm',
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: {
    // Jest's own module registry, because each mutant needs its modules anew.
    config: {
      testEnvironment: 'node',
      testEnvironmentOptions: { customExportConditions: ['capstan-source', 'node', 'import', 'default'] },
      extensionsToTreatAsEsm: ['.ts'],
      moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
      transform: { '\\.ts$': '@swc/jest' },
      modulePathIgnorePatterns: ['<rootDir>/dist/'],
      testMatch: [`<rootDir>/libs/{${PURE_LIBRARIES}}/**/*.spec.ts`],
      projects: [],
    },
    enableFindRelatedTests: true,
  },
  coverageAnalysis: 'perTest',
  // Texts of errors are no decisions.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Types of a mutant are not checked: a switch that cannot be reached any more is a mutant all the same.
  disableTypeChecks: true,
  reporters: ['clear-text', 'progress'],
  concurrency: 2,
  ignorePatterns: ['/dist', '/bench', '/docs', '/examples', '/k8s', '/monitoring'],
};
