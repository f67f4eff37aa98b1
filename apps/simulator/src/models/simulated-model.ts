import type { FaultRule } from '../faults/fault-rule.js';
import { completed, type Answer, type AnswerItem } from '../responses/answer.js';
import { limitOutput } from '../responses/limit-output.js';
import type { ResponsesRequest } from '../responses/responses-request.js';

/** Description of a model in `GET /v1/models`. */
export interface ModelCard {
  readonly id: string;
  /** Creation time, in Unix seconds. */
  readonly created: number;
  /** Explains the model, and above all its limits. */
  readonly description: string;
}

/** Fault rules of a request; `scope` names their counters. */
export interface ScopedRules {
  readonly scope: string;
  readonly rules: readonly FaultRule[];
}

export interface ModelReply {
  readonly answer: Answer;
  readonly faults: readonly ScopedRules[];
}

/** A model that answers requests, determined only by the request and the scripts of its key. */
export interface SimulatedModel {
  readonly card: ModelCard;
  /** Throws `ApiError` for a request that this model cannot answer. `key` isolates tests; null without one. */
  reply(request: ResponsesRequest, key: string | null): ModelReply;
}

/** Creation time of the models, in Unix seconds. */
export const MODELS_CREATED = 1_767_225_600;

/** A reply without faults that completes, unless `max_output_tokens` cuts it. */
export function replyWith(request: ResponsesRequest, items: readonly AnswerItem[]): ModelReply {
  return { answer: limitOutput(completed(items), request.body.max_output_tokens ?? null), faults: [] };
}
