import type { Delivery } from '../http/delivery.js';
import type { Exchange } from '../http/exchange.js';
import { jsonValue } from '../http/json-body.js';
import { deliverFrames } from '../responses/deliver-answer.js';
import { decideAnswer, type AnswerDependencies } from '../responses/decide-answer.js';
import { buildCompletion, completionBody } from './build-completion.js';
import { chunkFrames } from './build-chunks.js';
import { parseChatRequest } from './parse-chat-request.js';

/**
 * Decides the whole answer to `POST /v1/chat/completions`, with the models, scripts and faults of the Responses API. Throws
 * `ApiError`.
 */
export function answerChat(exchange: Exchange, dependencies: AnswerDependencies): Delivery {
  const { asked, includesUsage } = parseChatRequest(jsonValue(exchange.body));
  return decideAnswer(exchange, asked, 'chat_completions', dependencies, (answer, faults) => {
    const completion = buildCompletion(asked, answer, dependencies.ids, exchange.at);
    exchange.note({ response_id: completion.id, usage: completion.usage ?? null });
    return deliverFrames(asked, answer.pace, faults, exchange.headers, {
      events: () => chunkFrames(completion, answer.pace, includesUsage, faults),
      body: () => completionBody(completion),
    });
  });
}
