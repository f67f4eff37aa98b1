import { z } from 'zod';
import { conditionSchema } from '../condition.js';
import { stepFields, stepName } from './step-fields.js';

const MOST_CASES = 16;

/** Where a branch leads that ends the pipeline; no step is called so. */
export const END = 'end';

/** Chooses the step to go on with, a later one, or the end: those between are skipped. */
export const branchStepSchema = z.strictObject({
  ...stepFields,
  kind: z.literal('branch'),
  /** The first one whose condition holds. */
  cases: z
    .array(z.strictObject({ when: conditionSchema, then: stepName }))
    .min(1)
    .max(MOST_CASES),
  /** Where none holds; by default the next step. */
  otherwise: stepName.optional(),
});
export type BranchStep = z.infer<typeof branchStepSchema>;
