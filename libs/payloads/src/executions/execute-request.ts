import { z } from 'zod';
import { executorSchema } from './executor.js';
import { optionsSchema } from './options.js';
import { jsonObjectSchema, jsonValueSchema } from '../json-schemas.js';
import { requestTokensSchema } from './request-tokens.js';
import { wholeNumber } from '../requests/request-values.js';
import { executionWebhookSchema } from '../webhooks/webhook-target.js';

const MAX_INPUT_CHARACTERS = 200_000;

const NAME_WORDS = 'must be 1 to 64 characters';
/** Pairs of a caller’s own, such as those of an execution or of a session. */
export const metadataSchema = z
  .record(
    z.string().min(1, NAME_WORDS).max(64, NAME_WORDS),
    z.string().max(512, 'at most 512 characters per value'),
  )
  .refine((metadata) => Object.keys(metadata).length <= 16, 'at most 16 keys');

/** Body of `POST /api/agents/{id}/execute/`. Unknown fields are refused, so that misspelt ones are noticed. */
export const executeRequestSchema = z.strictObject({
  input: z
    .string({
      error: ({ input }) => (input === undefined || input === null ? 'input is required' : 'must be a text'),
    })
    .trim()
    .min(1, 'input is required')
    .max(MAX_INPUT_CHARACTERS, `at most ${MAX_INPUT_CHARACTERS} characters`)
    .describe('What the user says to the agent.'),
  session_uuid: z
    .uuid('must be a UUID')
    .optional()
    .describe('The conversation to continue; a new one when omitted.'),
  session_metadata: metadataSchema
    .optional()
    .describe(
      'Your own keys of the conversation that this request begins: at most 16, each 1 to 64 characters with a value of at most 512. Not allowed with `session_uuid`; `PATCH /api/sessions/{uuid}/` changes them.',
    ),
  agent_version: wholeNumber(1)
    .optional()
    .describe('The version of the agent to run, from 1; the newest one when omitted.'),
  options: optionsSchema
    .default({})
    .describe('Model parameters of this execution; they take precedence over those of the agent.'),
  context: jsonValueSchema
    .optional()
    .describe(
      'Any JSON. A list of sources (`content`, `title`, `metadata` each) is returned as retriever_resources; anything else is kept with the request. None of it enters the prompt.',
    ),
  prompt_policy_overrides: z
    .string()
    .max(50_000)
    .optional()
    .describe(
      'For agents with a strategy: text appended to the policies, or a JSON object of policies to replace.',
    ),
  on_conflict: z
    .enum(['enqueue', 'reject', 'interrupt'])
    .optional()
    .describe(
      'Behaviour while another execution of the conversation runs. `enqueue` (default): wait in line; `reject`: answer 409 after 5 s; `interrupt`: cancel the running one.',
    ),
  executor: executorSchema
    .optional()
    .describe(
      'The person on whose behalf the agent acts; `user_id` suffices. Executions, sessions and usage are listed by it (`executor_id`).',
    ),
  preferred_skills: z
    .array(z.string().max(1_000))
    .max(100, 'at most 100 names')
    .optional()
    .describe('Names of skills to use first; invalid names are ignored.'),
  additional_data: jsonObjectSchema
    .default({})
    .describe(
      'Data of the front end, kept with the user’s message and answered with it. The loaded domains declare the keys; where none declares any, it is an object of at most 64 kB that no model reads.',
    ),
  webhook: executionWebhookSchema
    .optional()
    .describe('Sends the events of this execution to one URL, beside the webhook endpoints of the tenant.'),
  tokens: requestTokensSchema.optional(),
  metadata: metadataSchema.default({}).describe('Your own keys, returned with the execution.'),
});
export type ExecuteRequest = z.infer<typeof executeRequestSchema>;

/** Part of a request that is stored with its execution. Secrets are sealed and stored elsewhere while it runs. */
export type KeptRequest = Omit<
  ExecuteRequest,
  'session_uuid' | 'session_metadata' | 'metadata' | 'webhook' | 'tokens'
> & {
  /** Names of the request's tokens; absent without tokens. */
  readonly token_names?: readonly string[];
};

/** User id that memories belong to; null for a request without an executor. */
export function executorIdOf({ executor }: Pick<KeptRequest, 'executor'>): string | null {
  return executor === undefined || executor.user_id === '' ? null : executor.user_id;
}
