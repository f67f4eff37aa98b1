import { z } from 'zod';
import { conditionSchema } from '../condition.js';
import { stepFields, stepName } from './step-fields.js';

const MAX_CASES = 16;

/** Target of a branch that ends the pipeline; no step may have this name. */
export const END = 'end';

/** Chooses a later step, or the end, as the next one; the steps in between are skipped. */
export const branchStepSchema = z.strictObject({
  ...stepFields,
  kind: z.literal('branch'),
  /** The first case with a true condition is taken. */
  cases: z
    .array(z.strictObject({ when: conditionSchema, then: stepName }))
    .min(1)
    .max(MAX_CASES),
  /** Target if no condition is true; default the next step. */
  otherwise: stepName.optional(),
});
export type BranchStep = z.infer<typeof branchStepSchema>;
