import { callName, childPath } from '#libs/agent-core';

/** A call as its execution, its scope and its place in there name it: what its tool gets as its idempotency key. */
export function callKeyOf(call: {
  readonly executionId: string;
  readonly scope: string;
  readonly round: number | null;
  readonly position: number | null;
}): string {
  const { executionId, scope, round, position } = call;
  return `${executionId}.${callName(scope, { round: round ?? 0, position: position ?? 0 })}`;
}

/** The loop that runs where a call is one of an agent. */
export function scopeOpenedBy(call: Omit<Parameters<typeof callKeyOf>[0], 'executionId'>): string {
  return childPath(call.scope, { round: call.round ?? 0, position: call.position ?? 0 });
}

/** What the requests of a loop to the model are marked with. */
export function scopeKey(key: string, scope: string): string {
  return scope === '' ? key : `${key}${MARK}${scope}`;
}

/** The opposite of {@link scopeKey}. */
export function parseScopeKey(scopeKey: string): { readonly key: string; readonly scope: string } {
  const [key = '', scope = ''] = scopeKey.split(MARK);
  return { key, scope };
}

const MARK = '@';
