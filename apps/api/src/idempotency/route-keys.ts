import { applyDecorators, Header } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { RouteOptions } from 'fastify';
import { AddRouteConfig } from '../http/route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reason why no answers are stored for the idempotency keys of a POST. */
    keysNotKept?: 'keeps its own' | 'changes nothing';
    /** Whether the answer shows a secret, once. */
    showsSecret?: boolean;
  }
}

/** OpenAPI extension with the reason why a POST ignores `Idempotency-Key`. */
export const CHANGES_NOTHING = 'x-changes-nothing';

/** The route stores idempotency keys itself, in the transaction of the created resource. */
export function KeepsOwnKeys(): MethodDecorator {
  return AddRouteConfig({ keysNotKept: 'keeps its own' });
}

/**
 * Marks a POST that is safe to repeat, and that ignores `Idempotency-Key`.
 * @param reason shown in the OpenAPI document
 */
export function ChangesNothing(reason: string): MethodDecorator {
  return applyDecorators(
    AddRouteConfig({ keysNotKept: 'changes nothing' }),
    ApiExtension(CHANGES_NOTHING, reason),
  );
}

/** Marks an answer with a secret that is shown once: caches must not store it, and it is sealed when stored for replays. */
export function ShowsSecret(): MethodDecorator {
  return applyDecorators(Header('Cache-Control', 'no-store'), AddRouteConfig({ showsSecret: true }));
}

/** Whether answers of the route are stored for replays: every POST of the API by default. */
export function keepsAnswers({ method, url, config }: RouteOptions): boolean {
  return method === 'POST' && url.startsWith('/api/') && config?.keysNotKept === undefined;
}
