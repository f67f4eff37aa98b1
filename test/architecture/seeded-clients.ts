import type { SeededViolation } from './seeded-violation.js';

/** Violations of programs and libraries that stand without the service. */
export const SEEDED_CLIENTS: readonly SeededViolation[] = [
  {
    rule: 'the-kit-stands-alone',
    how: 'the kit borrows from the kernel',
    files: {
      'libs/kit/src/refusal.ts': `import { AppError } from '#libs/kernel'; export const refusal = AppError;`,
    },
  },
  {
    rule: 'the-kit-stands-alone',
    how: 'the kit reads a file',
    files: {
      'libs/kit/src/read.ts': `import { readFileSync } from 'node:fs'; export const read = readFileSync;`,
    },
  },
  {
    rule: 'the-console-is-a-client',
    how: 'the console borrows from the kernel',
    files: {
      'apps/console/src/fail.tsx': `import { AppError } from '#libs/kernel'; export const fail = AppError;`,
    },
  },
  {
    rule: 'the-package-is-a-client',
    how: 'the command line borrows from the kernel',
    files: {
      'packages/capstan/src/cli/fail.ts': `import { AppError } from '#libs/kernel'; export const fail = AppError;`,
    },
  },
  {
    rule: 'the-client-stands-alone',
    how: 'the client reads a file',
    files: {
      'packages/capstan/src/client/read.ts': `import { readFileSync } from 'node:fs'; export const read = readFileSync;`,
    },
  },
  {
    rule: 'examples-can-be-copied',
    how: 'an example takes a file of another one',
    files: {
      'examples/parcels/run.ts': `import { letter } from '../letters/letter.ts'; export default letter;`,
    },
  },
  {
    rule: 'hooks-know-the-client-alone',
    how: 'a hook reaches into the command line',
    files: {
      'packages/capstan/src/cli/ask.ts': 'export const ask = 1;',
      'packages/capstan/src/react/use-ask.ts': `import { ask } from '../cli/ask.js'; export const useAsk = ask;`,
    },
  },
];
