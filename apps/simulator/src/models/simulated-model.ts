import type { FaultRule } from '../faults/fault-rule.js';
import { completed, type Answer, type AnswerItem } from '../responses/answer.js';
import { limitOutput } from '../responses/limit-output.js';
import type { ResponsesRequest } from '../responses/responses-request.js';

/** What `GET /v1/models` answers about a model. */
export interface ModelCard {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** What it is and, above all, what it is not. */
  readonly description: string;
}

/** Fault rules that came with a request; their calls are counted under `scope`. */
export interface ScopedRules {
  readonly scope: string;
  readonly rules: readonly FaultRule[];
}

export interface ModelReply {
  readonly answer: Answer;
  readonly faults: readonly ScopedRules[];
}

/** A model that answers requests. The answer depends on nothing but the request and what was scripted for its key. */
export interface SimulatedModel {
  readonly card: ModelCard;
  /** Throws `ApiError` for a request that this model cannot answer. `key` keeps tests apart; null without one. */
  reply(request: ResponsesRequest, key: string | null): ModelReply;
}

/** When the models were made, Unix seconds. */
export const MODELS_CREATED = 1_767_225_600;

/** A reply without faults that ends well, unless `max_output_tokens` cuts it. */
export function replyWith(request: ResponsesRequest, items: readonly AnswerItem[]): ModelReply {
  return { answer: limitOutput(completed(items), request.body.max_output_tokens ?? null), faults: [] };
}
