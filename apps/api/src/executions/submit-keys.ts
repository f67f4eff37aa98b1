import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Submission } from '#libs/executions';
import type { JsonValue } from '#libs/kernel';
import { singleHeader } from '../http/request-values.js';
import { hashRequest, parseIdempotencyKey } from '../idempotency/idempotency-key.js';
import { TokenKeeper } from './token-keeper.js';

/** Reads the idempotency keys of requests that make an execution. */
@Injectable()
export class SubmitKeys {
  constructor(private readonly tokenKeeper: TokenKeeper) {}

  /**
   * Null without the header. The hash is of the body as it was sent, so that a default that a later release adds does not
   * change it.
   *
   * @param route method and path
   */
  read(request: FastifyRequest, tenantId: string, route: string): Submission['idempotency'] {
    const key = parseIdempotencyKey(singleHeader(request, 'idempotency-key'));
    if (key === null) return null;
    // Fastify has parsed it from JSON.
    const body = this.tokenKeeper.conceal(
      (request.body ?? {}) as JsonValue,
      `${tenantId}/idempotency/${key}`,
    );
    return { key, requestSha256: hashRequest(route, body) };
  }
}
