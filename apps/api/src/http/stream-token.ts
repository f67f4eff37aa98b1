import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Lets whoever holds it follow one execution for some minutes: the `EventSource` of a browser sends no `Authorization`,
 * and a key in a URL would be in logs and histories. As text `cst_<id of the key>_<end>_<signature>`.
 */
export interface StreamToken {
  /** The key that it was made with; it ends with it. */
  readonly keyId: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** HMAC-SHA-256 as base64url. */
  readonly signature: string;
}

const FORMAT = /^cst_([0-9a-f]{16})_([1-9]\d{9,10})_([A-Za-z0-9_-]{43})$/;

/**
 * Signed with the stored hash of its key's secret, so that every process can check it, and it needs neither a row nor a
 * secret of its own. The hash leaves the server nowhere, and cannot be found from signatures.
 */
export function formatStreamToken(
  keyId: string,
  keySha256: string,
  executionId: string,
  expiresAt: number,
): string {
  return `cst_${keyId}_${expiresAt}_${sign(keySha256, executionId, expiresAt)}`;
}

/** Null when the text cannot be a token. */
export function parseStreamToken(text: string): StreamToken | null {
  const [, keyId, expiresAt, signature] = FORMAT.exec(text) ?? [];
  if (keyId === undefined || expiresAt === undefined || signature === undefined) return null;
  return { keyId, expiresAt: Number(expiresAt), signature };
}

/** Whether it was made with this key for this execution; compares in constant time. Not whether it has ended. */
export function isTokenOf(token: StreamToken, keySha256: string, executionId: string): boolean {
  const right = sign(keySha256, executionId, token.expiresAt);
  return timingSafeEqual(Buffer.from(token.signature), Buffer.from(right));
}

function sign(keySha256: string, executionId: string, expiresAt: number): string {
  return createHmac('sha256', Buffer.from(keySha256, 'hex'))
    .update(`stream token 1\n${executionId.toLowerCase()}\n${expiresAt}`)
    .digest('base64url');
}
