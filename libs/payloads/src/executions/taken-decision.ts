import { z } from 'zod';

const groundsOfDecision = {
  reason: z.string().describe('Reason of the decision; empty if it has none.'),
  decided_by: z
    .object({
      key_id: z.string().nullable().describe('Public part of the API key; null with `AUTH=off`.'),
      person: z.string().nullable().describe('`person` of the decision request; null if it named none.'),
    })
    .nullable()
    .describe('Null if no person decided in time, and for decisions from older releases.'),
  decided_at: z.iso.datetime().nullable().describe('Null in events of decisions from older releases.'),
};

const outcomeSchema = z.enum(['happened', 'did_not_happen', 'unknown']);

/** Decision on a call that asked for approval. */
export const approvalDecidedSchema = z.object({
  call: z.string().describe('The call, as named in `required_action.calls`.'),
  approved: z.boolean(),
  ...groundsOfDecision,
});

/** Decision on a call that asked for its outcome. */
export const outcomeDecidedSchema = z.object({
  call: z.string().describe('The call, as named in `required_action.calls`.'),
  outcome: outcomeSchema,
  ...groundsOfDecision,
});

/** Decision as the step of its call shows it. */
export const takenDecisionSchema = z.object({
  asked: z.enum(['approval', 'outcome']),
  approved: z.boolean().nullable().describe('Null for a decision on an outcome.'),
  outcome: outcomeSchema.nullable().describe('Null for a decision on an approval.'),
  ...groundsOfDecision,
});
export type TakenDecision = z.infer<typeof takenDecisionSchema>;
