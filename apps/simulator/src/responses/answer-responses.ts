import type { Delivery } from '../http/delivery.js';
import type { Exchange } from '../http/exchange.js';
import { jsonValue } from '../http/json-body.js';
import { buildResponse } from './build-response.js';
import { decideAnswer, type AnswerDependencies } from './decide-answer.js';
import { deliverAnswer } from './deliver-answer.js';
import { parseResponsesRequest } from './responses-request.js';

/** Decides the whole answer to `POST /v1/responses`: request → model → faults → response → bytes. Throws `ApiError`. */
export function answerResponses(exchange: Exchange, dependencies: AnswerDependencies): Delivery {
  const request = parseResponsesRequest(jsonValue(exchange.body));
  return decideAnswer(exchange, request, 'responses', dependencies, (answer, faults) => {
    const response = buildResponse(request, answer, dependencies.ids, exchange.at);
    exchange.note({ response_id: response.finished.id, usage: response.finished.usage ?? null });
    return deliverAnswer(request, response, answer.pace, faults, exchange.headers);
  });
}
