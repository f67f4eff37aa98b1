import { AppError } from '#libs/kernel';

/** What a key may be allowed to do. */
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
  /** What is remembered of executors. */
  'memories:read',
  'memories:write',
  /** Over every tenant, not just the key's own. */
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Scopes from a list with commas. Throws `INVALID_SCOPE` for one that nothing asks for: its key would be refused
 * everywhere.
 */
export function parseScopes(list: string): Scope[] {
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
