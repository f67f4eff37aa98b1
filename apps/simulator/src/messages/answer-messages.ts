import { invalidRequest } from '../http/api-error.js';
import type { Delivery } from '../http/delivery.js';
import type { Exchange } from '../http/exchange.js';
import { jsonValue } from '../http/json-body.js';
import { decideAnswer, type AnswerDependencies } from '../responses/decide-answer.js';
import { deliverFrames } from '../responses/deliver-answer.js';
import { buildMessage, messageBody } from './build-message.js';
import { messageFrames } from './message-frames.js';
import { parseMessagesRequest } from './parse-messages-request.js';

/**
 * Decides the whole answer to `POST /v1/messages`, with the models, scripts and faults of the Responses API. Throws
 * `ApiError`.
 * @param version header of the request that names the version of the API
 */
export function answerMessages(
  exchange: Exchange,
  version: string | null,
  dependencies: AnswerDependencies,
): Delivery {
  if (version === null) throw invalidRequest('anthropic-version: header is required', 'anthropic-version');
  const { asked, body } = parseMessagesRequest(jsonValue(exchange.body));
  return decideAnswer(exchange, asked, 'messages', dependencies, (answer, faults) => {
    const message = buildMessage(asked, body, answer, dependencies.ids);
    exchange.note({ response_id: message.id, usage: message.usage ?? null });
    return deliverFrames(asked, answer.pace, faults, exchange.headers, {
      events: () => messageFrames(message, answer.pace, faults),
      body: () => messageBody(message),
    });
  });
}
