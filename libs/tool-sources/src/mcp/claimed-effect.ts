import type { ToolEffect } from '#libs/tooling';

/** A tool's `annotations` from its server. They are untrusted: they may only make the effect stricter. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
}

/**
 * Effect according to the annotations; null if they are silent. Contradictions count as `unsafe`, e.g. a read-only tool
 * that is destructive.
 */
export function claimedEffect({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
}: ToolAnnotations): ToolEffect | null {
  if (readOnlyHint === true) return destructiveHint === true ? 'unsafe' : 'read';
  if (idempotentHint === true) return 'idempotent';
  const isSaid = [readOnlyHint, destructiveHint, idempotentHint].some((hint) => hint !== undefined);
  // `destructiveHint: false` still describes a writing tool, so a repeated write may do harm.
  return isSaid ? 'unsafe' : null;
}
