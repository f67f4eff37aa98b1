import { z } from 'zod';
import { SWITCH_REASONS } from '#libs/agent-core';
import {
  INCOMPLETE_REASONS,
  jsonObjectSchema,
  jsonValueSchema,
  READING_WAYS,
  retrievalUsageSchema,
  tokenUsageSchema,
} from '#libs/payloads';
import { REFUSAL_REASONS, sourcesSchema } from '#libs/tooling';

const at = { round: z.number().int().min(1), position: z.number().int().min(0) };
const timing = { startedAt: z.number().optional(), durationMs: z.number().optional() };
const trace = {
  startedAt: z.number().exactOptional(),
  tryNumber: z.number().int().exactOptional(),
  firstByteMs: z.number().exactOptional(),
};
const failure = z.object({ code: z.string(), message: z.string() });

const outcome = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('succeeded'),
    output: z.string(),
    result: jsonValueSchema,
    baked: jsonObjectSchema.optional(),
    staged: z.array(z.object({ kind: z.string(), data: jsonObjectSchema })).optional(),
    foreign: z.string().exactOptional(),
    sources: sourcesSchema.exactOptional(),
    fault: z.string().optional(),
  }),
  z.object({ status: z.literal('failed'), output: z.string(), error: z.string() }),
  z.object({
    status: z.literal('refused'),
    output: z.string(),
    reason: z.enum(REFUSAL_REASONS).optional(),
    original: z.string().optional(),
  }),
  z.object({ status: z.literal('outcome_unknown'), output: z.string() }),
]);

const report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('happened'), output: z.string().nullable() }),
  z.object({ kind: z.literal('did_not_happen') }),
  z.object({ kind: z.literal('unknown') }),
]);

const grounds = {
  reason: z.string(),
  by: z.object({ keyId: z.string().nullable(), person: z.string().nullable() }).exactOptional(),
  decidedAt: z.number().exactOptional(),
};

const part = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reasoning'), index: z.number().int().min(0) }),
  z.object({ kind: z.literal('message'), text: z.string(), phase: z.string().nullable() }),
  z.object({ kind: z.literal('call'), callId: z.string() }),
]);

const requestedCall = z.object({
  callId: z.string(),
  toolName: z.string(),
  arguments: z.string(),
  written: z.string().exactOptional(),
  via: z.literal('call_tool').exactOptional(),
});

const stepOutcome = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('succeeded'),
    output: jsonValueSchema,
    foreign: z.array(z.string()).exactOptional(),
  }),
  z.object({ status: z.literal('branched'), to: z.string().nullable() }),
  z.object({ status: z.literal('skipped'), because: z.enum(['condition', 'branch']).exactOptional() }),
  z.object({ status: z.literal('failed'), error: failure }),
]);

const answer = z.object({
  responseId: z.string().nullable(),
  model: z.string(),
  text: z.string(),
  thinking: z.string(),
  toolCalls: z.array(requestedCall),
  usage: tokenUsageSchema.nullable(),
  incompleteReason: z.enum(['max_output_tokens', 'content_filter']).nullable(),
  providerItems: z.array(jsonObjectSchema),
  parts: z.array(part).optional(),
  annotations: z.array(jsonObjectSchema).exactOptional(),
  droppedCalls: z.number().int().exactOptional(),
});

const cost = z.object({ prompt: z.string(), completion: z.string() }).nullable();
const spent = z.object({
  responseId: z.string().nullable(),
  model: z.string(),
  usage: tokenUsageSchema,
  cost: cost.optional(),
});

const hashed = z.object({ name: z.string(), hash: z.string() });

const retrieval = sourcesSchema.extend({
  usage: retrievalUsageSchema,
  template: z.string(),
  merge: z.enum(['NEWLINE', 'TITLE_PREFIX']),
  foreign: z.string(),
});

const attachment = z.object({
  fileId: z.string(),
  hash: z.string(),
  as: z.enum(READING_WAYS),
  textHash: z.string().exactOptional(),
});

const shownHistory = z.object({
  fromTurn: z.number().int(),
  messages: z.number().int(),
  tokens: z.number().int(),
  isCut: z.boolean(),
  summary: z.object({ version: z.number().int(), throughTurn: z.number().int() }).nullable(),
});

/** Preparation of a scope, as stored in its fact. */
export const preparationSchema = z.object({
  agent: z.object({ id: z.number().int(), version: z.number().int() }),
  model: z.string(),
  extra: jsonObjectSchema,
  instruction: z.string().nullable(),
  layers: z.array(hashed).exactOptional(),
  tools: z.array(hashed),
  listed: z.array(z.string()).exactOptional(),
  warnings: z.array(z.string()).exactOptional(),
  retrieval: retrieval.exactOptional(),
  attachments: z.array(attachment).exactOptional(),
  lookedUp: z.record(z.string(), z.record(z.string(), z.string())).exactOptional(),
  foreignHistory: z.literal(true).exactOptional(),
  history: shownHistory.exactOptional(),
});

const ending = z.discriminatedUnion('status', [
  z.object({ status: z.literal('completed'), text: z.string(), truncated: z.literal(true).optional() }),
  z.object({
    status: z.literal('incomplete'),
    reason: z.enum(INCOMPLETE_REASONS),
    text: z.string(),
    truncated: z.literal(true).optional(),
  }),
  z.object({ status: z.literal('failed'), error: failure }),
  z.object({ status: z.literal('cancelled') }),
]);

/** Absent at the root. */
const inScope = { scope: z.string().optional() };

/** Stored journal facts of all versions: facts of older releases must stay readable. */
export const journalEntrySchema = z.discriminatedUnion('kind', [
  z.object({ ...inScope, kind: z.literal('execution_prepared'), ...preparationSchema.shape }),
  z.object({
    ...inScope,
    kind: z.literal('scope_opened'),
    agentId: z.number().int(),
    name: z.string(),
    input: z.string(),
    remainingMs: z.number().exactOptional(),
  }),
  z.object({ ...inScope, kind: z.literal('scope_settled'), outcome: ending }),
  z.object({
    ...inScope,
    kind: z.literal('model_call_completed'),
    round: at.round,
    answer,
    latencyMs: z.number().default(0),
    cost: cost.optional(),
    ...trace,
  }),
  z.object({
    ...inScope,
    kind: z.literal('model_call_failed'),
    round: at.round,
    error: failure,
    reason: z.string().optional(),
    retryable: z.boolean(),
    retryAfterMs: z.number().nullable(),
    refusesHistory: z.literal(true).exactOptional(),
    spent: spent.optional(),
    model: z.string().optional(),
    durationMs: z.number().exactOptional(),
    ...trace,
  }),
  z.object({
    ...inScope,
    kind: z.literal('model_call_interrupted'),
    round: at.round,
    text: z.string(),
    model: z.string().optional(),
    durationMs: z.number().exactOptional(),
    ...trace,
  }),
  z.object({ ...inScope, kind: z.literal('model_call_lost'), round: at.round, model: z.string() }),
  z.object({
    ...inScope,
    kind: z.literal('model_switched'),
    round: at.round,
    reason: z.enum(SWITCH_REASONS),
    to: z.object({ llmId: z.number().int(), model: z.string() }).nullable(),
    unusable: z.array(z.number().int()),
  }),
  z.object({ ...inScope, kind: z.literal('answer_rejected'), round: at.round, faults: z.array(z.string()) }),
  z.object({
    ...inScope,
    kind: z.literal('step_begun'),
    round: at.round,
    step: z.string(),
    attempt: z.number().int().min(1),
    calls: z.array(requestedCall),
  }),
  z.object({ ...inScope, kind: z.literal('step_settled'), step: z.string(), outcome: stepOutcome }),
  z.object({
    ...inScope,
    kind: z.literal('tool_call_started'),
    ...at,
    repeatable: z.literal(true).exactOptional(),
    effect: z.enum(['read', 'idempotent', 'unsafe']).exactOptional(),
  }),
  z.object({ ...inScope, kind: z.literal('tool_call_not_begun'), ...at }),
  z.object({ ...inScope, kind: z.literal('tool_call_settled'), ...at, ...timing, outcome }),
  z.object({ ...inScope, kind: z.literal('tool_call_lost'), ...at, ...timing, error: z.string() }),
  z.object({
    ...inScope,
    kind: z.literal('approval_requested'),
    ...at,
    because: z.literal('foreign_content').exactOptional(),
  }),
  z.object({
    ...inScope,
    kind: z.literal('approval_decided'),
    ...at,
    approved: z.boolean(),
    ...grounds,
  }),
  z.object({ ...inScope, kind: z.literal('outcome_asked'), ...at }),
  z.object({ ...inScope, kind: z.literal('outcome_reported'), ...at, report, ...grounds }),
  z.object({ ...inScope, kind: z.literal('cancellation_requested') }),
  z.object({ ...inScope, kind: z.literal('deadline_reached') }),
  z.object({ ...inScope, kind: z.literal('execution_settled'), outcome: ending }),
]);
