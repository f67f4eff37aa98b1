import type { SeededViolation } from './seeded-violation.js';

/** Violations of the rules that apply to files of every folder. */
export const SEEDED_DISORDER: readonly SeededViolation[] = [
  {
    rule: 'no-cycles',
    how: 'two files need each other',
    files: {
      'apps/api/src/hen.ts': `import { egg } from './egg.js'; export const hen = () => egg;`,
      'apps/api/src/egg.ts': `import { hen } from './hen.js'; export const egg = () => hen;`,
    },
  },
  {
    rule: 'no-orphans',
    how: 'a file is left over',
    files: { 'libs/queue/src/left-over.ts': 'export const leftOver = 1;' },
  },
  {
    rule: 'production-knows-no-test',
    how: 'an app uses a builder of the tests',
    files: {
      'apps/api/src/seed.ts': `import { build } from '../../../test/support/builders.js'; export const seed = build;`,
    },
  },
  {
    rule: 'production-knows-no-example',
    how: 'a library takes a letter of an example',
    files: {
      'libs/queue/src/letter.ts': `import { letter } from '../../../examples/letters/letter.js'; export const first = letter;`,
    },
  },
  {
    rule: 'no-import-of-a-spec',
    how: 'a spec borrows from another',
    files: { 'test/e2e/again.spec.ts': `import order from './order.spec.js'; export default order;` },
  },
  {
    rule: 'loaded-for-the-first-use',
    how: 'the library for tool servers is loaded with everything else',
    files: {
      'libs/tool-sources/src/index.ts': `export { SdkConnector } from './mcp/sdk-connector.js';`,
      'libs/tool-sources/src/mcp/sdk-connector.ts': 'export class SdkConnector {}',
    },
  },
  {
    rule: 'production-needs-no-dev-dependency',
    how: 'an app imports a package for development',
    files: { 'apps/api/src/sample.ts': `import { fc } from 'fast-check'; export const sample = fc;` },
  },
  {
    rule: 'packages-are-declared',
    how: 'an app imports what only another package brought',
    files: { 'apps/api/src/luck.ts': `import { luck } from 'stowaway'; export const lucky = luck;` },
  },
  {
    rule: 'imports-resolve',
    how: 'a file is missing',
    files: { 'apps/api/src/gone.ts': `import { gone } from './missing.js'; export const here = gone;` },
  },
  {
    rule: 'imports-resolve',
    how: 'a name goes past the door',
    files: {
      'apps/api/src/past.ts': `import { AppError } from '#libs/kernel/src/app-error.js'; export const past = AppError;`,
    },
  },
];
