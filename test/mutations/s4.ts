import type { Mutant } from './mutant.js';

/** S4: tenants, prompt layers, the message log, sub-agents and titles. */
export const S4_MUTANTS: readonly Mutant[] = [];
