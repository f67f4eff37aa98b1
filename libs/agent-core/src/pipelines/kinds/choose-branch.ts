import { END, holds, type BranchStep } from '#libs/policy';
import type { StepOutcome } from '../step-state.js';
import type { StepData } from '../step-data.js';

/** The target of a branch. @param next the following step; undefined for the last one */
export function chooseBranch(
  { cases, otherwise }: BranchStep,
  { everything }: StepData,
  next: string | undefined,
): Extract<StepOutcome, { status: 'branched' }> {
  const chosen = cases.find(({ when }) => holds(when, everything))?.then ?? otherwise ?? next ?? END;
  return { status: 'branched', to: chosen === END ? null : chosen };
}
