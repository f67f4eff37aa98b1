import { Reflector } from '@nestjs/core';

/** What a key may be allowed to do. */
export const SCOPES = [
  'executions:write',
  'executions:read',
  'agents:write',
  'agents:read',
  'webhooks:write',
  'audit:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Who may call a route: everybody, or a key with this scope. A route that does not say is refused. */
export const Access = Reflector.createDecorator<Scope | 'everybody'>();
