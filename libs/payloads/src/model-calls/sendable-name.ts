/** Names of tools that every provider takes. */
const SENDABLE = /^[a-zA-Z0-9_-]{1,64}$/;

const LONGEST_NAME = 64;

/**
 * The name of a called tool as it may be sent back: a model can call what no tool is named, and a provider refuses every
 * later request with such a name. Other characters are replaced by `_`, and the end of a long name is left out.
 */
export function sendableName(name: string): string {
  if (SENDABLE.test(name)) return name;
  const replaced = name.trim().replaceAll(/[^a-zA-Z0-9_-]/gu, '_');
  return replaced.slice(0, LONGEST_NAME) || '_';
}
