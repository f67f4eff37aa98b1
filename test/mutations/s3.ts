import type { Mutant } from './mutant.js';

/** S3: agents and how they are run over HTTP. */
export const S3_MUTANTS: readonly Mutant[] = [];
