import { z } from 'zod';

const groundsOfDecision = {
  reason: z.string().describe('Reason that came with the decision; empty where it had none.'),
  decided_by: z
    .object({
      key_id: z
        .string()
        .nullable()
        .describe('Public part of the API key; null where the service asks for none.'),
      person: z.string().nullable().describe('`person` of the decision request; null where it named none.'),
    })
    .nullable()
    .describe('Null where no person decided in time, and for decisions that an older release has taken.'),
  decided_at: z.iso.datetime().nullable().describe('Null in events of decisions from older releases.'),
};

const outcomeSchema = z.enum(['happened', 'did_not_happen', 'unknown']);

/** Decision on a call that asked for approval. */
export const approvalDecidedSchema = z.object({
  call: z.string().describe('The call, as `required_action.calls` named it.'),
  approved: z.boolean(),
  ...groundsOfDecision,
});

/** Decision on a call that asked for its outcome. */
export const outcomeDecidedSchema = z.object({
  call: z.string().describe('The call, as `required_action.calls` named it.'),
  outcome: outcomeSchema,
  ...groundsOfDecision,
});

/** Decision as the step of its call shows it. */
export const takenDecisionSchema = z.object({
  asked: z.enum(['approval', 'outcome']),
  approved: z.boolean().nullable().describe('Null where the call asked for its outcome.'),
  outcome: outcomeSchema.nullable().describe('Null where the call asked for approval.'),
  ...groundsOfDecision,
});
export type TakenDecision = z.infer<typeof takenDecisionSchema>;
