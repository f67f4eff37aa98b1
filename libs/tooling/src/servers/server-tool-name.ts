const LONGEST_NAME = 64;
const HASH_CHARACTERS = 7;
const HASH_RANGE = 36 ** HASH_CHARACTERS;

const PREFIX = 'mcp__';

/** What every name of a server's tools begins with. */
export function serverToolPrefix(serverName: string): string {
  return `${PREFIX}${serverName}__`;
}

/** Whether a tool is one of a server, by what models call it. */
export function isServerToolName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * What a model calls a tool of a server: `mcp__{server}__{tool}`. A name that no model could call, or that is too long,
 * has what fits of it and a hash of the whole, so that it neither depends on nor meets the names beside it.
 */
export function serverToolName(serverName: string, toolName: string): string {
  const prefix = serverToolPrefix(serverName);
  const room = LONGEST_NAME - prefix.length;
  if (/^[A-Za-z0-9_-]+$/.test(toolName) && toolName.length <= room) return prefix + toolName;
  const readable = toolName.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, room - HASH_CHARACTERS - 1);
  return `${prefix}${readable}_${hashOf(toolName)}`;
}

/** Polynomial over UTF-16, modulo a range that multiplies without loss: for names, not against an adversary. */
function hashOf(text: string): string {
  let hash = 7;
  for (let at = 0; at < text.length; at += 1) hash = (hash * 31 + text.charCodeAt(at)) % HASH_RANGE;
  return hash.toString(36).padStart(HASH_CHARACTERS, '0');
}
