import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonValue } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type { KeptAnswer, KeyedRequest } from '#libs/persistence';
import { principalOfRequest } from '../http/access.js';
import { singleHeader } from '../http/request-values.js';
import type { AnswerKeeper, RequestUnderKey } from './answer-keeper.js';
import { parseIdempotencyKey } from './idempotency-key.js';
import { keepsAnswers } from './route-keys.js';

/** Headers stored with an answer. */
const KEPT_HEADERS = ['content-type', 'location', 'etag', 'cache-control'];

/**
 * Performs a POST with an `Idempotency-Key` once, and replays its answer. Call it before routes are registered, and before
 * compression, since answers are stored as text.
 */
export function keepAnswers(
  instance: FastifyInstance,
  keeper: AnswerKeeper,
  logger: Pick<Logger, 'warn'>,
): void {
  const underWay = new WeakMap<FastifyRequest, KeyedRequest>();

  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const key = parseIdempotencyKey(singleHeader(request, 'idempotency-key'));
    if (key === null) return;
    const begun = await keeper.begin(requestUnder(key, request));
    if (begun.kind === 'answered') return replay(begun.answer, reply);
    underWay.set(request, begun.request);
  };

  const end = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const begun = underWay.get(request);
    underWay.delete(request);
    if (begun === undefined) return payload;
    try {
      // A refused or failed request releases its key for the next one.
      if (reply.statusCode >= 300) await keeper.forget(begun);
      else await keeper.keep(begun, answerOf(reply, payload));
    } catch (err) {
      // The request has succeeded; a failure to store its answer only loses the replay.
      logger.warn({ err }, 'the answer to a request with an Idempotency-Key was not stored');
    }
    return payload;
  };

  instance.addHook('onRoute', (route) => {
    if (!keepsAnswers(route)) return;
    route.preHandler = [...[route.preHandler ?? []].flat(), begin];
    route.onSend = [...[route.onSend ?? []].flat(), end];
  });
}

function requestUnder(key: string, request: FastifyRequest): RequestUnderKey {
  const { tenantId, keyId } = principalOfRequest(request);
  const { pathname, search } = new URL(request.url, 'http://api.invalid');
  return {
    ...{ tenantId, keyId, key },
    route: `POST ${pathname.replace(/\/$/, '')}/${search}`,
    // The raw body, so that defaults added by later releases do not change the hash; Fastify parsed it from JSON.
    body: (request.body ?? {}) as JsonValue,
    showsSecret: request.routeOptions.config.showsSecret === true,
  };
}

function answerOf(reply: FastifyReply, payload: unknown): KeptAnswer {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const body = typeof payload === 'string' && payload !== '' ? payload : null;
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body };
}

function replay({ status, headers, body }: KeptAnswer, reply: FastifyReply): FastifyReply {
  return reply
    .status(status)
    .headers(headers)
    .header('Idempotency-Replayed', 'true')
    .send(body ?? undefined);
}
