import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Scope } from '#libs/persistence';
import { AddRouteConfig } from './route-config.js';

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
  return principalOfRequest(context.switchToHttp().getRequest<FastifyRequest>());
}

/** On whose behalf a request acts that was let in. */
export function principalOfRequest(request: FastifyRequest): Principal {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error('this route has no principal: is its access "everybody"?');
  return principal;
}

export type RouteAccess = Scope | 'everybody' | 'any key';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route: everybody, any key, or a key with this scope. */
    access?: RouteAccess;
    /** Whether a stream token for the execution `:id` of its path lets in, too. */
    takesStreamTokens?: boolean;
  }
}

/** Methods that speak for themselves; they are decorated before their class. */
const decorated = new WeakSet<object>();

/**
 * Who may call a route, or every route of a controller that says nothing else. It stands in the configuration of the
 * route, so that it is known before a byte of the body is read.
 */
export function Access(
  access: Scope | 'everybody',
  more: Pick<FastifyContextConfig, 'takesStreamTokens' | 'takesForms'> = {},
): MethodDecorator & ClassDecorator {
  const decorate = AddRouteConfig({ access, ...more });
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (key === undefined || descriptor === undefined) decorateMethods(target, decorate);
    else {
      decorate(target, key, descriptor);
      decorated.add(descriptor.value as object);
    }
  };
}

function decorateMethods(controller: object, decorate: MethodDecorator): void {
  const { prototype } = controller as { prototype: object };
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const method: unknown = descriptor.value;
    if (name === 'constructor' || typeof method !== 'function' || decorated.has(method)) continue;
    decorate(prototype, name, descriptor);
  }
}
