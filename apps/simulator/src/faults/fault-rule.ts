import { createHash } from 'node:crypto';
import { z } from 'zod';
import { faultSchema } from './fault-schema.js';

const ordinal = z.number().int().min(1);

/** Endpoints that faults can be injected into. */
export const endpointSchema = z.enum(['responses', 'chat_completions', 'messages', 'models', 'embeddings']);
export type Endpoint = z.infer<typeof endpointSchema>;
/** Endpoints with answers of a model. */
export type AnsweringEndpoint = Extract<Endpoint, 'responses' | 'chat_completions' | 'messages'>;

/**
 * Condition of a fault. The first four fields select the calls that are counted, the rest select the counted calls that are
 * hit; an omitted field matches all. Each rule counts calls from 1.
 */
export const faultConditionSchema = z.strictObject({
  /** By default, each endpoint with answers of a model. */
  endpoint: endpointSchema.optional(),
  model: z.string().optional(),
  /** Round since the user's last message, from 1; a retry has the same round. */
  round: ordinal.optional(),
  /** Text that the user's last message contains; for embeddings, one of the input texts. */
  contains: z.string().min(1).optional(),
  call: ordinal.optional(),
  calls: z.array(ordinal).optional(),
  /** Hits the first n calls. */
  first: ordinal.optional(),
  /** Hits every n-th call. */
  every: ordinal.optional(),
  /** Derived from `seed` and the call's number, so that runs are repeatable. */
  probability: z.number().min(0).max(1).optional(),
  seed: z.number().int().default(1),
});
export type FaultCondition = z.infer<typeof faultConditionSchema>;

export const faultRuleSchema = z.strictObject({
  on: faultConditionSchema.default({ seed: 1 }),
  fault: faultSchema,
});
export type FaultRule = z.infer<typeof faultRuleSchema>;

/** Facts of a call that rules can match. */
export interface CallFacts {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly round: number;
  readonly lastUserText: string;
}

/** Whether the rule counts this call. */
export function isCounted(on: FaultCondition, call: CallFacts): boolean {
  return (
    isMeant(on.endpoint, call.endpoint) &&
    (on.model === undefined || on.model === call.model) &&
    (on.round === undefined || on.round === call.round) &&
    (on.contains === undefined || call.lastUserText.includes(on.contains))
  );
}

function isMeant(meant: Endpoint | undefined, endpoint: Endpoint): boolean {
  return meant === undefined ? endpoint !== 'models' && endpoint !== 'embeddings' : meant === endpoint;
}

/** Whether the rule hits the `number`-th counted call. */
export function isHit(on: FaultCondition, number: number): boolean {
  return (
    (on.call === undefined || on.call === number) &&
    (on.calls === undefined || on.calls.includes(number)) &&
    (on.first === undefined || number <= on.first) &&
    (on.every === undefined || number % on.every === 0) &&
    (on.probability === undefined || lot(on.seed, number) < on.probability)
  );
}

/** A pseudo-random number in [0, 1), determined by seed and number. */
function lot(seed: number, number: number): number {
  return createHash('sha256').update(`${seed}:${number}`).digest().readUInt32BE(0) / 2 ** 32;
}
