import { z } from 'zod';

const checkSchema = z.object({
  name: z.enum(['provider', 'model']).describe('provider: the key is accepted; model: the model answers.'),
  ok: z.boolean(),
  reason: z.string().nullable().describe('Kind of failure, such as `invalid_credentials`; null if ok.'),
  message: z.string().nullable().describe('The failure in words, without secrets; null if ok.'),
});

const OUTCOMES = ['works', 'key_refused', 'unreachable', 'unknown_model', 'unusable'] as const;

/** Result of testing a model configuration with a real call (S1-37, S1-38); sent from worker to API and on to the client. */
export const llmValidationSchema = z.object({
  valid: z.boolean(),
  outcome: z
    .enum(OUTCOMES)
    .describe(
      '`works`; `key_refused`: the provider rejects the key, or its permissions; `unreachable`: no server with this API ' +
        'answered in time; `unknown_model`: the key is valid, the model unknown; `unusable`: any other failure, see `checks`.',
    ),
  checks: z.array(checkSchema),
});
export type LlmValidation = z.infer<typeof llmValidationSchema>;
