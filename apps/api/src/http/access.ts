import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { SCOPES, type Scope } from '#libs/persistence';
import { AddRouteConfig } from './route-config.js';

/** The tenant, key and scopes of an authenticated request. */
export interface Principal {
  readonly tenantId: string;
  /** The public id of the key; null with `AUTH=off`. */
  readonly keyId: string | null;
  readonly scopes: readonly string[];
  /** The session of a signed-in browser; undefined where the key itself was sent. */
  readonly sessionId?: string;
}

const principals = new WeakMap<FastifyRequest, Principal>();

/** Stores the principal of a request, for {@link Caller} and {@link Tenant}. */
export function admit(request: FastifyRequest, principal: Principal): void {
  principals.set(request, principal);
}

export function holdsScope(principal: Principal, scope: Scope): boolean {
  return principal.scopes.includes(scope);
}

/** The principal of the request, as a parameter of a controller's method. */
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

/** The principal of a request that has been let in. */
export function principalOfRequest(request: FastifyRequest): Principal {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error('this route has no principal: is its access "public"?');
  return principal;
}

export type RouteAccess = Scope | 'public' | 'any key' | 'sign-in';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Required scope, `any key` for each valid key, `public` for routes without a key, `sign-in` for one that judges the key
     * of its body: it is counted for its address, as those without a valid key are.
     */
    access?: RouteAccess;
    /** Whether a key is also accepted as the password of `Basic`. */
    takesPasswords?: boolean;
    /** Whether a stream token for the execution `:id` of the path is accepted, too. */
    takesStreamTokens?: boolean;
  }
}

/** Methods with an access of their own; method decorators run before the class decorator. */
const decorated = new WeakSet<object>();

/**
 * Declares the access of a route, or of a controller's routes without their own. It is route configuration, so that requests
 * are authorised before their body is read. The OpenAPI document names a required scope as a role of the key.
 */
export function Access(
  access: RouteAccess,
  more: Pick<FastifyContextConfig, 'takesStreamTokens' | 'takesForms'> = {},
): MethodDecorator & ClassDecorator {
  const roles = SCOPES.filter((scope) => scope === access);
  const decorate = applyDecorators(
    AddRouteConfig({ access, ...more }),
    ...(roles.length > 0 ? [ApiSecurity('bearer', roles)] : []),
  );
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
