import { applyDecorators, Header } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { RouteOptions } from 'fastify';
import { AddRouteConfig } from '../http/route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why no answer is kept for the idempotency keys of a POST. */
    keysNotKept?: 'keeps its own' | 'changes nothing';
    /** Whether the answer shows a secret, once. */
    showsSecret?: boolean;
  }
}

/** In the document: why a POST ignores `Idempotency-Key`. */
export const CHANGES_NOTHING = 'x-changes-nothing';

/** The route keeps its idempotency keys with what it makes, in one transaction. */
export function KeepsOwnKeys(): MethodDecorator {
  return AddRouteConfig({ keysNotKept: 'keeps its own' });
}

/**
 * A POST that may be repeated as it is: it ignores `Idempotency-Key`.
 *
 * @param reason stands in the document
 */
export function ChangesNothing(reason: string): MethodDecorator {
  return applyDecorators(
    AddRouteConfig({ keysNotKept: 'changes nothing' }),
    ApiExtension(CHANGES_NOTHING, reason),
  );
}

/** The answer shows a secret that is shown once: no cache keeps it, and under an idempotency key it is kept sealed. */
export function ShowsSecret(): MethodDecorator {
  return applyDecorators(Header('Cache-Control', 'no-store'), AddRouteConfig({ showsSecret: true }));
}

/** Whether answers of the route are kept for repetitions: of every POST of the API that says nothing else. */
export function keepsAnswers({ method, url, config }: RouteOptions): boolean {
  return method === 'POST' && url.startsWith('/api/') && config?.keysNotKept === undefined;
}
