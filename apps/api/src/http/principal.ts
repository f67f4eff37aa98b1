import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '#libs/persistence';

/** On whose behalf a request acts. */
export interface Principal {
  readonly tenantId: string;
  /** The public part of its key; null where no key is asked for. */
  readonly keyId: string | null;
  readonly scopes: readonly string[];
}

const principals = new WeakMap<FastifyRequest, Principal>();

/** Remembers who was let in, for {@link Tenant}. */
export function admit(request: FastifyRequest, principal: Principal): void {
  principals.set(request, principal);
}

export function holdsScope(principal: Principal, scope: Scope): boolean {
  return principal.scopes.includes(scope);
}

/** On whose behalf the request acts, as a parameter of a controller's method. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Principal =>
  principalOf(context),
);

/** The tenant of the request, as a parameter of a controller's method. */
export const Tenant = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string => principalOf(context).tenantId,
);

function principalOf(context: ExecutionContext): Principal {
  const principal = principals.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (principal === undefined) throw new Error('this route has no principal: is its access "everybody"?');
  return principal;
}
