import type { Mutant } from './mutant.js';

/** S0 and S1: the loop, its effects and what a run costs. */
export const CORE_MUTANTS: readonly Mutant[] = [];
