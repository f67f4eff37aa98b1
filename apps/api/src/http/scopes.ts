import { RouteConfig } from '@nestjs/platform-fastify';
import type { Scope } from '#libs/persistence';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route: everybody, or a key with this scope. */
    access?: Scope | 'everybody';
  }
}

/** Methods that speak for themselves; they are decorated before their class. */
const decorated = new WeakSet<object>();

/**
 * Who may call a route, or every route of a controller that says nothing else. It stands in the configuration of the
 * route, so that it is known before a byte of the body is read.
 */
export function Access(access: Scope | 'everybody'): MethodDecorator & ClassDecorator {
  const decorate = RouteConfig({ access });
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
