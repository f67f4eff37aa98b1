import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Submission } from '#libs/executions';
import type { JsonValue } from '#libs/kernel';
import { singleHeader } from '../http/request-values.js';
import { hashRequest, parseIdempotencyKey } from '../idempotency/idempotency-key.js';
import { TokenKeeper } from './token-keeper.js';

/** Reads the idempotency keys of requests that create executions. */
@Injectable()
export class SubmitKeys {
  constructor(private readonly tokenKeeper: TokenKeeper) {}

  /**
   * The key with a hash of the request; null without the header. The raw body is hashed, so that defaults added by later
   * releases do not change the hash.
   * @param route method and path
   */
  read(request: FastifyRequest, tenantId: string, route: string): Submission['idempotency'] {
    const key = parseIdempotencyKey(singleHeader(request, 'idempotency-key'));
    if (key === null) return null;
    // Parsed from JSON by Fastify.
    const body = this.tokenKeeper.conceal(
      (request.body ?? {}) as JsonValue,
      `${tenantId}/idempotency/${key}`,
    );
    return { key, requestSha256: hashRequest(route, body) };
  }
}
