/** Where a call of the inbox stands: which it is, and whether it still waits. */
export interface CallPlace {
  readonly key: string;
  readonly isWaiting: boolean;
}

/**
 * The call to go to after one was decided: the next one that waits, else the first one; null where none waits any more.
 * Pure.
 */
export function nextCall(places: readonly CallPlace[], decided: string): string | null {
  const at = places.findIndex(({ key }) => key === decided);
  const after = [...places.slice(at + 1), ...places.slice(0, Math.max(0, at))];
  return after.find(({ isWaiting }) => isWaiting)?.key ?? null;
}

/** The call that a step by `j` or `k` goes to, past those that are decided; the same one at the end. Pure. */
export function callBeside(
  places: readonly CallPlace[],
  current: string | null,
  step: 1 | -1,
): string | null {
  const waiting = places.filter(({ isWaiting, key }) => isWaiting || key === current);
  const at = waiting.findIndex(({ key }) => key === current);
  if (at === -1) return waiting[0]?.key ?? null;
  return waiting[at + step]?.key ?? waiting[at]?.key ?? null;
}
