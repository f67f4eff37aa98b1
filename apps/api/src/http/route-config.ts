import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';

/** Adds to the route configuration that Fastify's hooks read, and keeps the additions of other decorators. */
export function AddRouteConfig(config: FastifyContextConfig): MethodDecorator {
  return (target, name, descriptor) => {
    const known = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as
      FastifyContextConfig | undefined;
    RouteConfig({ ...known, ...config })(target, name, descriptor);
  };
}
