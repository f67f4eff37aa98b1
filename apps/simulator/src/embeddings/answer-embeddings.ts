import { deliverHttpFaults } from '../faults/deliver-http-faults.js';
import type { FaultBook } from '../faults/fault-book.js';
import { layerFaults } from '../faults/fault-schema.js';
import { deliverReply } from '../http/deliver-reply.js';
import type { Delivery } from '../http/delivery.js';
import type { Exchange } from '../http/exchange.js';
import { jsonValue } from '../http/json-body.js';
import { jsonReply } from '../http/reply.js';
import { buildEmbeddings } from './build-embeddings.js';
import type { Usage } from '../responses/response-schema.js';
import { parseEmbeddingsRequest } from './embeddings-request.js';

/** Decides the answer to `POST /v1/embeddings`. Throws `ApiError` 400 or 404. */
export function answerEmbeddings(exchange: Exchange, faults: FaultBook): Delivery {
  const request = parseEmbeddingsRequest(jsonValue(exchange.body));
  const model = request.model.card.id;
  const lastUserText = request.inputs.filter((input) => typeof input === 'string').join('\n');
  const facts = { endpoint: 'embeddings' as const, model, round: 1, lastUserText };
  const taken = faults.take(exchange.headerKey, facts);
  exchange.note({ model, faults: taken.map((fault) => fault.kind) });
  const layers = layerFaults(taken);
  const early = deliverHttpFaults(layers.http, model, exchange.at, exchange.headers);
  if (early.instead !== null) return early.instead;
  const { dimensions } = layers.embedding.at(-1) ?? request;
  const answer = buildEmbeddings({ ...request, dimensions });
  exchange.note({ usage: toUsage(answer.usage.prompt_tokens) });
  const reply = jsonReply(200, answer);
  return { ...deliverReply(reply, exchange.headers, true, layers.stream), before: early.before };
}

/** Usage in the ledger's common format. */
function toUsage(input_tokens: number): Usage {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens,
  };
}
