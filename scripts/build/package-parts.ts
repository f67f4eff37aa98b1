/** Parts of the npm package that projects import, by their specifier, with their source from the root. */
export const PACKAGE_PARTS = {
  'capstan/kit': 'libs/kit/src/index.ts',
  'capstan/kit/testing': 'libs/kit-testing/src/agent-testing.ts',
  'capstan/client': 'packages/capstan/src/client/index.ts',
} as const;
