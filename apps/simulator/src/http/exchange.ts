import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#libs/kernel';
import type { Answered, RequestLedger } from '../control/request-ledger.js';
import type { Endpoint } from '../faults/fault-rule.js';
import type { IdSource } from '../responses/id-source.js';
import { ApiError } from './api-error.js';
import { authenticate } from './authenticate.js';
import { deliverReply } from './deliver-reply.js';
import type { Delivery } from './delivery.js';
import { readJsonBody, type JsonBody } from './json-body.js';
import { bedrockErrorReply } from '../bedrock/bedrock-error.js';
import { messageErrorReply } from '../messages/message-error.js';
import { errorReply, type Reply } from './reply.js';
import { harmlessHeaders, keyOfHeaders } from './request-headers.js';
import { sendDelivery, type DeliveryOutcome } from './send-delivery.js';

/** An authenticated request. */
export interface Exchange {
  readonly body: JsonBody;
  /** The key of the `x-sim-key` header, or null. */
  readonly headerKey: string | null;
  /** Unix milliseconds. */
  readonly at: number;
  /** An error in the shape of the asked API. */
  readonly refuse: (error: ApiError) => Reply;
  /** Headers of every answer, including errors. */
  readonly headers: Readonly<Record<string, string>>;
  /** Adds facts about the request to the ledger. */
  note(answered: Answered): void;
}

export interface ExchangeDependencies {
  readonly ledger: RequestLedger;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly apiKey: string | null;
}

/**
 * Records a request, checks its key, and sends the delivery that `answer` decides. An `ApiError` becomes an error answer of
 * OpenAI's API; any other error is rethrown as a defect.
 */
export async function exchange(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  dependencies: ExchangeDependencies,
  answer: (exchange: Exchange) => Delivery,
): Promise<void> {
  const { ledger, ids, clock, apiKey } = dependencies;
  const body = readJsonBody(request.body);
  const at = clock.now();
  const headerKey = keyOfHeaders(request.headers);
  const { text, isJson } = body;
  const note = ledger.open({ endpoint, at, headers: harmlessHeaders(request.headers), body: text, isJson });
  note({ key: headerKey });
  const { refuse, headersOf } = MANNERS[mannerOf(endpoint, request.url)];
  const headers = headersOf(ids.next('req'));
  const decide = (): Delivery => {
    authenticate(keyOf(request), apiKey);
    return answer({ body, headerKey, at, headers, refuse, note });
  };
  const delivery = orError(decide, headers, refuse);
  reply.hijack();
  const { end, areHeadersSent, isTerminalSent } = await sendOrDrop(reply.raw, delivery);
  note({ end, terminal_sent: isTerminalSent, ...(areHeadersSent && { status: delivery.status }) });
}

/** A hijacked connection must be closed when it cannot be served. */
async function sendOrDrop(response: ServerResponse, delivery: Delivery): Promise<DeliveryOutcome> {
  try {
    return await sendDelivery(response, delivery);
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Errors and headers of each API. */
const MANNERS = {
  openai: {
    refuse: errorReply,
    headersOf: (id: string) => ({
      'x-request-id': id,
      'openai-version': '2020-10-01',
      'openai-processing-ms': '1',
    }),
  },
  messages: { refuse: messageErrorReply, headersOf: (id: string) => ({ 'request-id': id }) },
  bedrock: { refuse: bedrockErrorReply, headersOf: (id: string) => ({ 'x-amzn-requestid': id }) },
} satisfies Record<string, { refuse: Exchange['refuse']; headersOf(id: string): Record<string, string> }>;

function mannerOf(endpoint: Endpoint, url: string): keyof typeof MANNERS {
  if (/\/(?:model\/|inference-profiles)/.test(url)) return 'bedrock';
  return endpoint === 'messages' ? 'messages' : 'openai';
}

/** The key of any API's header; of a signature, the id of the key that it was made with. */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const { authorization } = headers;
  const signing = /^AWS4-HMAC-SHA256 Credential=([^/]+)\//.exec(authorization ?? '')?.[1];
  return signing ?? authorization ?? [headers['x-api-key']].flat()[0];
}

function orError(
  decide: () => Delivery,
  headers: Readonly<Record<string, string>>,
  refuse: Exchange['refuse'],
): Delivery {
  try {
    return decide();
  } catch (error) {
    if (error instanceof ApiError) return deliverReply(refuse(error), headers, false);
    throw error;
  }
}
