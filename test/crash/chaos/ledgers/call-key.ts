import { callName, childPath } from '#libs/agent-core';

/** The idempotency key that a tool gets: a call by its execution, its scope and its position there. */
export function callKeyOf(call: {
  readonly executionId: string;
  readonly scope: string;
  readonly round: number | null;
  readonly position: number | null;
}): string {
  const { executionId, scope, round, position } = call;
  return `${executionId}.${callName(scope, { round: round ?? 0, position: position ?? 0 })}`;
}

/** The scope of the loop that a call opens if it is the call of an agent. */
export function scopeOpenedBy(call: Omit<Parameters<typeof callKeyOf>[0], 'executionId'>): string {
  return childPath(call.scope, { round: call.round ?? 0, position: call.position ?? 0 });
}

/** The key in a loop's requests to the model. */
export function scopeKey(key: string, scope: string): string {
  return scope === '' ? key : `${key}${MARK}${scope}`;
}

/** The inverse of {@link scopeKey}. */
export function parseScopeKey(scopeKey: string): { readonly key: string; readonly scope: string } {
  const [key = '', scope = ''] = scopeKey.split(MARK);
  return { key, scope };
}

const MARK = '@';
