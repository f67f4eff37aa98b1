/** Families whose models reason without being asked to, whoever serves them and whichever day they are dated. */
const REASONING_FAMILIES = /^(gpt-([5-9]|\d{2,})([.-]|$)|o\d+([.-]|$)|codex-|gpt-oss|computer-use)/;
/** Of such a family, but without reasoning: asked for it, the provider refuses the request. */
const CHAT_ONLY = /-chat(-|$)/;

/**
 * Does the model reason even when no reasoning parameter is given? Then what it reasoned has to be asked for, encrypted, so
 * that it can travel with the next call. By family: an id may carry a date, the name of a host, or that it was tuned.
 */
export function reasonsByItself(modelId: string): boolean {
  const name = modelId.toLowerCase().replace(/^ft:/, '').replace(/:.*$/, '');
  const base = name.slice(name.lastIndexOf('/') + 1);
  return REASONING_FAMILIES.test(base) && !CHAT_ONLY.test(base);
}
