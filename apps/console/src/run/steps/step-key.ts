/** Key of a step within its run, as the address of the page names it. Pure. */
export function stepKey({
  scope,
  round,
  position,
}: {
  scope: string;
  round: number;
  position: number;
}): string {
  return scope === '' ? `${round}.${position}` : `${scope}:${round}.${position}`;
}
