const MAX_NAME = 64;
const HASH_CHARACTERS = 7;
const HASH_RANGE = 36 ** HASH_CHARACTERS;

const PREFIX = 'mcp__';

/** Common prefix of a server's tool names. */
export function serverToolPrefix(serverName: string): string {
  return `${PREFIX}${serverName}__`;
}

/** True if the name is that of a server's tool. */
export function isServerToolName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * Model-facing name of a server's tool: `mcp__{server}__{tool}`. A name with invalid characters or beyond 64 characters
 * is shortened and gets a hash of the original, so that it is unique and independent of the server's other tools.
 */
export function serverToolName(serverName: string, toolName: string): string {
  const prefix = serverToolPrefix(serverName);
  const room = MAX_NAME - prefix.length;
  if (/^[A-Za-z0-9_-]+$/.test(toolName) && toolName.length <= room) return prefix + toolName;
  const readable = toolName.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, room - HASH_CHARACTERS - 1);
  return `${prefix}${readable}_${hashOf(toolName)}`;
}

/**
 * Polynomial hash over UTF-16, modulo a range without loss of precision. Not collision-resistant against an adversary.
 */
function hashOf(text: string): string {
  let hash = 7;
  for (let at = 0; at < text.length; at += 1) hash = (hash * 31 + text.charCodeAt(at)) % HASH_RANGE;
  return hash.toString(36).padStart(HASH_CHARACTERS, '0');
}
