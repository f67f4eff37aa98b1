import type { FaultBook } from '../faults/fault-book.js';
import type { AnsweringEndpoint, CallFacts } from '../faults/fault-rule.js';
import { layerFaults, type StreamFault } from '../faults/fault-schema.js';
import { applyAnswerFaults } from '../faults/answer-faults.js';
import { deliverHttpFaults } from '../faults/deliver-http-faults.js';
import type { Delivery } from '../http/delivery.js';
import type { Exchange } from '../http/exchange.js';
import type { ModelCatalogue } from '../models/model-catalogue.js';
import { findScriptBlock } from '../models/script/script-block.js';
import { SCRIPT_MODEL } from '../models/script/script-model.js';
import type { Answer } from './answer.js';
import { currentRound, lastUserTurn } from './conversation.js';
import type { IdSource } from './id-source.js';
import type { ResponsesRequest } from './responses-request.js';

export interface AnswerDependencies {
  readonly models: ModelCatalogue;
  readonly faults: FaultBook;
  readonly ids: IdSource;
}

/**
 * Lets the model answer, or a fault replace its answer; `deliver` encodes the answer for the called API. Throws `ApiError`.
 */
export function decideAnswer(
  exchange: Exchange,
  request: ResponsesRequest,
  endpoint: AnsweringEndpoint,
  { models, faults, ids }: AnswerDependencies,
  deliver: (answer: Answer, faults: readonly StreamFault[]) => Delivery,
): Delivery {
  const model = models.find(request.model);
  const key = keyOf(request, exchange.headerKey);
  const facts = factsOf(request, endpoint);
  exchange.note({ key, model: request.model, stream: request.isStreamed, round: facts.round });

  const about = [request.model, exchange.at, exchange.headers, exchange.refuse] as const;
  const posted = faults.take(key, facts);
  exchange.note({ faults: posted.map((fault) => fault.kind) });
  const early = deliverHttpFaults(layerFaults(posted).http, ...about);
  if (early.instead !== null) return early.instead;

  const reply = model.reply(request, key);
  const scripted = reply.faults.flatMap(({ rules, scope }) => faults.takeFrom(rules, scope, facts));
  exchange.note({ faults: [...posted, ...scripted].map((fault) => fault.kind) });
  const late = deliverHttpFaults(layerFaults(scripted).http, ...about);
  if (late.instead !== null) return { ...late.instead, before: [...early.before, ...late.instead.before] };

  const layers = layerFaults([...posted, ...scripted]);
  const answer = applyAnswerFaults(reply.answer, layers.answer, request, ids);
  const delivery = deliver(answer, layers.stream);
  return { ...delivery, before: [...early.before, ...late.before, ...delivery.before] };
}

function factsOf(request: ResponsesRequest, endpoint: AnsweringEndpoint): CallFacts {
  const lastUserText = lastUserTurn(request.items)?.text ?? '';
  return { endpoint, model: request.model, round: currentRound(request.items), lastUserText };
}

/** Key of the request: from its header, else its metadata, else the script in its conversation. */
function keyOf(request: ResponsesRequest, headerKey: string | null): string | null {
  const given = headerKey ?? request.metadata['sim_key'] ?? null;
  if (given !== null || request.model !== SCRIPT_MODEL) return given;
  return findScriptBlock(request.items)?.script.key ?? null;
}
