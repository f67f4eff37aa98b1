import { deliverReply } from '../http/deliver-reply.js';
import type { Delivery } from '../http/delivery.js';
import type { Exchange } from '../http/exchange.js';
import { jsonReply } from '../http/reply.js';
import type { ModelCatalogue } from '../models/model-catalogue.js';

/** The answer to `GET /inference-profiles`: every model, as a profile. */
export function answerProfiles(exchange: Exchange, models: ModelCatalogue): Delivery {
  const inferenceProfileSummaries = models
    .cards()
    .map(({ id, description }) => ({ inferenceProfileId: id, inferenceProfileName: id, description }));
  return deliverReply(jsonReply(200, { inferenceProfileSummaries }), exchange.headers, true);
}
