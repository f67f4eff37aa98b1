import type { ToolEffect } from '#libs/tooling';

/** What a server says of a tool in its `annotations`; nothing of it is to be believed but what makes us more careful. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
}

/**
 * What the annotations claim that a call does, null where they say nothing of it. Where they contradict each other the
 * worse counts: a tool that only reads destroys nothing.
 */
export function claimedEffect({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
}: ToolAnnotations): ToolEffect | null {
  if (readOnlyHint === true) return destructiveHint === true ? 'unsafe' : 'read';
  if (idempotentHint === true) return 'idempotent';
  const isSaid = [readOnlyHint, destructiveHint, idempotentHint].some((hint) => hint !== undefined);
  // `destructiveHint: false` is of a tool that writes: to write twice may still be once too often.
  return isSaid ? 'unsafe' : null;
}
