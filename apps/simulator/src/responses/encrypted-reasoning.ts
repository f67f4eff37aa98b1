import { createHash } from 'node:crypto';

const PREFIX = 'gAAAAA';
const SEAL_LENGTH = 43;

/**
 * `encrypted_content` of a reasoning item: opaque to clients, and modifications are detected. It holds no secret, so a
 * checksum suffices.
 */
export function seal(itemId: string, thought: string): string {
  const body = Buffer.from(JSON.stringify({ item: itemId, thought }), 'utf8').toString('base64url');
  return `${PREFIX}${checksum(body)}${body}`;
}

/** Whether {@link seal} made this content and it is unchanged. */
export function isSealed(content: string): boolean {
  if (!content.startsWith(PREFIX)) return false;
  const body = content.slice(PREFIX.length + SEAL_LENGTH);
  return content === `${PREFIX}${checksum(body)}${body}`;
}

function checksum(body: string): string {
  return createHash('sha256').update(`simulator:${body}`).digest('base64url');
}
