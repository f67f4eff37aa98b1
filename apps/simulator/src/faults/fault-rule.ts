import { createHash } from 'node:crypto';
import { z } from 'zod';
import { faultSchema } from './fault-schema.js';

const ordinal = z.number().int().min(1);

/** The endpoints that faults can be injected into. */
export const endpointSchema = z.enum(['responses', 'chat_completions', 'models', 'embeddings']);
export type Endpoint = z.infer<typeof endpointSchema>;
/** Those behind which a model answers. */
export type AnsweringEndpoint = Extract<Endpoint, 'responses' | 'chat_completions'>;

/**
 * When a fault happens. The first four say which calls are counted, the rest which of the counted ones are hit; what
 * is left out does not matter. `call` and `calls` count from 1 since the rule was made, one count per rule.
 */
export const faultConditionSchema = z.strictObject({
  /** Left out: wherever a model answers. */
  endpoint: endpointSchema.optional(),
  model: z.string().optional(),
  /** The round since the user's last message, from 1; a retry asks for the same round again. */
  round: ordinal.optional(),
  /** The user's last message contains this; of embeddings, one of the texts. */
  contains: z.string().min(1).optional(),
  call: ordinal.optional(),
  calls: z.array(ordinal).optional(),
  /** The first so many calls. */
  first: ordinal.optional(),
  /** Every n-th call. */
  every: ordinal.optional(),
  /** Decided by `seed` and the call's number, so that a run can be repeated. */
  probability: z.number().min(0).max(1).optional(),
  seed: z.number().int().default(1),
});
export type FaultCondition = z.infer<typeof faultConditionSchema>;

export const faultRuleSchema = z.strictObject({
  on: faultConditionSchema.default({ seed: 1 }),
  fault: faultSchema,
});
export type FaultRule = z.infer<typeof faultRuleSchema>;

/** What a rule can know of a call. */
export interface CallFacts {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly round: number;
  readonly lastUserText: string;
}

/** Does this call count for the rule? */
export function isCounted(on: FaultCondition, call: CallFacts): boolean {
  return (
    isMeant(on.endpoint, call.endpoint) &&
    (on.model === undefined || on.model === call.model) &&
    (on.round === undefined || on.round === call.round) &&
    (on.contains === undefined || call.lastUserText.includes(on.contains))
  );
}

function isMeant(meant: Endpoint | undefined, endpoint: Endpoint): boolean {
  return meant === undefined
    ? endpoint === 'responses' || endpoint === 'chat_completions'
    : meant === endpoint;
}

/** Is the `number`-th counted call one of those that are hit? */
export function isHit(on: FaultCondition, number: number): boolean {
  return (
    (on.call === undefined || on.call === number) &&
    (on.calls === undefined || on.calls.includes(number)) &&
    (on.first === undefined || number <= on.first) &&
    (on.every === undefined || number % on.every === 0) &&
    (on.probability === undefined || lot(on.seed, number) < on.probability)
  );
}

/** A number in [0, 1) that looks random and is the same for the same seed and number. */
function lot(seed: number, number: number): number {
  return createHash('sha256').update(`${seed}:${number}`).digest().readUInt32BE(0) / 2 ** 32;
}
