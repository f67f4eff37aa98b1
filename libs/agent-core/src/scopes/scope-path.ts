/** The position of a tool call in its scope. Unlike the provider's `call_id` it is unique. */
export interface CallPosition {
  /** From 1. */
  readonly round: number;
  /** From 0, in the order of the model's calls. */
  readonly position: number;
}

/**
 * Names one loop of an execution: `''` is the root, `2.1` the sub-agent that round 2, position 1 of the root called,
 * `2.1/1.0` the one that its round 1, position 0 called.
 */
export type ScopePath = string;

export const ROOT: ScopePath = '';

/** Maximum depth of nested sub-agents; the root is at 0. */
export const MAX_SCOPE_DEPTH = 4;

/** Maximum sub-agent calls of one execution, at all depths. */
export const MAX_CHILD_SCOPES = 32;

/** The scope that this call of `parent` opens. */
export function childPath(parent: ScopePath, { round, position }: CallPosition): ScopePath {
  return parent === ROOT ? `${round}.${position}` : `${parent}/${round}.${position}`;
}

/** The call that opened a scope, with the calling scope; null for the root. The inverse of {@link childPath}. */
export function callingScope(scope: ScopePath): (CallPosition & { readonly scope: ScopePath }) | null {
  if (scope === ROOT) return null;
  const end = scope.lastIndexOf('/');
  const [round = 0, position = 0] = scope
    .slice(end + 1)
    .split('.')
    .map(Number);
  return { scope: scope.slice(0, Math.max(0, end)), round, position };
}

export function depthOf(scope: ScopePath): number {
  return scope === ROOT ? 0 : scope.split('/').length;
}

/** The scopes from the root down to this one, both included. */
export function lineOf(scope: ScopePath): ScopePath[] {
  if (scope === ROOT) return [ROOT];
  const steps = scope.split('/');
  return [ROOT, ...steps.map((_step, index) => steps.slice(0, index + 1).join('/'))];
}

/** Whether `scope` is inside `outer`: opened by it, or by a scope inside it. */
export function isInside(scope: ScopePath, outer: ScopePath): boolean {
  if (scope === outer) return false;
  return outer === ROOT || scope.startsWith(`${outer}/`);
}

/** Names a call within its execution: `1.0` in the root, `1.0:2.1` in the scope `1.0`. */
export function callName(scope: ScopePath, { round, position }: CallPosition): string {
  return scope === ROOT ? `${round}.${position}` : `${scope}:${round}.${position}`;
}

/** The inverse of {@link callName}. */
export function parseCallName(name: string): CallPosition & { readonly scope: ScopePath } {
  const end = name.lastIndexOf(':');
  const [round = 0, position = 0] = name
    .slice(end + 1)
    .split('.')
    .map(Number);
  return { scope: name.slice(0, Math.max(0, end)), round, position };
}
