/**
 * The id of a `log` event, a UUID of version 8 (RFC 9562): the same path in an execution always has the same id, so
 * that a worker that takes over can finish its predecessor's logs. Unique within its execution; not secret.
 *
 * @param path e.g. `round/2/call/0`
 */
export function logId(executionId: string, path: string): string {
  const hex = SEEDS.map((seed) => hash(seed, `${executionId}/${path}`).toString(16).padStart(8, '0')).join(
    '',
  );
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20),
  ].join('-');
}

const SEEDS = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b];

/** FNV-1a over UTF-16 code units, then mixed so that a difference at the end affects all bits. */
function hash(seed: number, text: string): number {
  let value = seed;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
