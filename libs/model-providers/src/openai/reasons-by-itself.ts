/** Model families that reason by default, for any host and date suffix. */
const REASONING_FAMILIES = /^(gpt-([5-9]|\d{2,})([.-]|$)|o\d+([.-]|$)|codex-|gpt-oss|computer-use)/;
/** Members of these families without reasoning; providers reject reasoning parameters for them. */
const CHAT_ONLY = /-chat(-|$)/;

/**
 * True if the model reasons without any reasoning parameter; the encrypted reasoning must then be requested, so that it
 * can be sent with the next call. Matched by family, because ids may contain a date, a host name or a fine-tuning mark.
 */
export function reasonsByItself(modelId: string): boolean {
  const name = modelId.toLowerCase().replace(/^ft:/, '').replace(/:.*$/, '');
  const base = name.slice(name.lastIndexOf('/') + 1);
  return REASONING_FAMILIES.test(base) && !CHAT_ONLY.test(base);
}
