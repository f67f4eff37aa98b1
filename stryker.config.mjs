// StrykerJS on the pure libraries. `npm run mutate` names the files; see CONTRIBUTING.md.
export default {
  packageManager: 'npm',
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'test/mutations/jest.config.mjs', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  // Texts of errors are no decisions.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Types of a mutant are not checked: a switch that cannot be reached any more is a mutant all the same.
  disableTypeChecks: true,
  reporters: ['clear-text', 'progress'],
  concurrency: 2,
  ignorePatterns: ['/dist', '/bench', '/docs', '/examples', '/k8s', '/monitoring'],
};
