/** Tool names that every provider accepts. */
const SENDABLE = /^[a-zA-Z0-9_-]{1,64}$/;

const MAX_NAME = 64;

/**
 * Makes the name of a called tool acceptable: a model may call a tool that does not exist, and providers refuse every
 * later request with an invalid name. Other characters become `_`; long names are truncated.
 */
export function sendableName(name: string): string {
  if (SENDABLE.test(name)) return name;
  const replaced = name.trim().replaceAll(/[^a-zA-Z0-9_-]/gu, '_');
  return replaced.slice(0, MAX_NAME) || '_';
}
