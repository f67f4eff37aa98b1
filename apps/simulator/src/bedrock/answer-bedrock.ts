import { invalidRequest } from '../http/api-error.js';
import type { Delivery } from '../http/delivery.js';
import type { Exchange } from '../http/exchange.js';
import { jsonValue } from '../http/json-body.js';
import { buildMessage, messageBody } from '../messages/build-message.js';
import { messageFrames } from '../messages/message-frames.js';
import { parseMessagesRequest } from '../messages/parse-messages-request.js';
import { decideAnswer, type AnswerDependencies } from '../responses/decide-answer.js';
import { deliverFrames } from '../responses/deliver-answer.js';
import { bedrockFrames } from './bedrock-frames.js';

const API_VERSION = 'bedrock-2023-05-31';
const EVENT_STREAM = 'application/vnd.amazon.eventstream';

/** Operations of a model, and whether they stream. */
export const OPERATIONS: ReadonlyMap<string, boolean> = new Map([
  ['invoke', false],
  ['invoke-with-response-stream', true],
]);

/**
 * Decides the whole answer to an operation of Bedrock: that of the Messages API, with its events in frames. Throws
 * `ApiError`.
 */
export function answerBedrock(
  exchange: Exchange,
  model: string,
  isStreamed: boolean,
  dependencies: AnswerDependencies,
): Delivery {
  // The names of betas change nothing here.
  const sent = jsonValue(exchange.body) as Record<string, unknown>;
  const { anthropic_version: version, anthropic_beta: _betas, ...rest } = sent;
  if (version !== API_VERSION) throw invalidRequest('anthropic_version: Field required', 'anthropic_version');
  if ('model' in rest || 'stream' in rest)
    throw invalidRequest('model, stream: Extra inputs are not permitted', 'model');
  const { asked, body } = parseMessagesRequest({ ...rest, model, stream: isStreamed });
  return decideAnswer(exchange, asked, 'messages', dependencies, (answer, faults) => {
    const message = buildMessage(asked, body, answer, dependencies.ids);
    exchange.note({ response_id: message.id, usage: message.usage ?? null });
    return deliverFrames(asked, answer.pace, faults, exchange.headers, {
      binaryType: EVENT_STREAM,
      events: () => bedrockFrames(messageFrames(message, answer.pace, faults)),
      body: () => messageBody(message),
    });
  });
}
