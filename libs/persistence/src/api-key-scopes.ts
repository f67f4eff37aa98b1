import { AppError } from '#libs/kernel';

/** Rights that a key can have. */
export const SCOPES = [
  'executions:write',
  'executions:read',
  'approvals:decide',
  'agents:write',
  'agents:read',
  'webhooks:write',
  'audit:read',
  'sessions:write',
  /** Calls tools for real, outside of any execution. */
  'tools:try',
  /** Lets tool servers be used on behalf of users. */
  'connections:write',
  /** Memories of executors. */
  'memories:read',
  'memories:write',
  /** Over every tenant, not just the key's own. */
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Scopes of a key that is made without any named: all but those of people. A program that runs agents should neither decide
 * over their tool calls nor operate the service by the same key.
 */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== 'approvals:decide' && scope !== 'admin',
);

/**
 * Scopes from a list with commas, or all of them for `all`. Throws `INVALID_SCOPE` for one that nothing asks for: its key
 * would be refused everywhere.
 */
export function parseScopes(list: string): Scope[] {
  if (list.trim() === 'all') return [...SCOPES];
  return list.split(',').map((text) => {
    const scope = SCOPES.find((known) => known === text.trim());
    if (scope !== undefined) return scope;
    throw new AppError({
      code: 'INVALID_SCOPE',
      kind: 'invalid_input',
      message: `"${text.trim()}" is no scope; scopes are ${SCOPES.join(', ')}`,
    });
  });
}
