import { deliverHttpFaults } from '../faults/deliver-http-faults.js';
import type { FaultBook } from '../faults/fault-book.js';
import { layerFaults } from '../faults/fault-schema.js';
import { deliverReply } from '../http/deliver-reply.js';
import type { Delivery } from '../http/delivery.js';
import type { Exchange } from '../http/exchange.js';
import { jsonReply } from '../http/reply.js';
import { showModel, type ModelCatalogue } from './model-catalogue.js';

/** Decides the answer to `GET /v1/models` (no id) and `GET /v1/models/{id}`. Throws `ApiError` 404. */
export function answerModels(
  exchange: Exchange,
  id: string | null,
  models: ModelCatalogue,
  faults: FaultBook,
): Delivery {
  const facts = { endpoint: 'models' as const, model: id ?? '', round: 1, lastUserText: '' };
  const taken = faults.take(exchange.headerKey, facts);
  exchange.note({ ...(id !== null && { model: id }), faults: taken.map((fault) => fault.kind) });
  const layers = layerFaults(taken);
  const early = deliverHttpFaults(layers.http, id ?? '', exchange.at, exchange.headers);
  if (early.instead !== null) return early.instead;
  const shown =
    id === null ? { object: 'list', data: models.cards().map(showModel) } : showModel(models.card(id));
  return {
    ...deliverReply(jsonReply(200, shown), exchange.headers, true, layers.stream),
    before: early.before,
  };
}
