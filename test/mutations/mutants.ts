import { CRASH_RULES } from './crash-rules.js';
import { S0_MUTANTS } from './s0.js';
import { S1_MUTANTS } from './s1.js';
import { S2_MUTANTS } from './s2.js';
import { S3_MUTANTS } from './s3.js';
import { S4_MUTANTS } from './s4.js';
import { STATEMENT_MUTANTS } from './statements.js';
import type { Mutant } from './mutant.js';

export const MUTANTS: readonly Mutant[] = [
  ...CRASH_RULES,
  ...S0_MUTANTS,
  ...S1_MUTANTS,
  ...S2_MUTANTS,
  ...S3_MUTANTS,
  ...S4_MUTANTS,
  ...STATEMENT_MUTANTS,
];
