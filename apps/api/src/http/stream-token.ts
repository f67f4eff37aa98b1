import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A token to follow one execution for some minutes. `EventSource` of a browser cannot send `Authorization`, and an API key
 * in a URL would end up in logs and histories. Format: `cst_<key id>_<expiry>_<signature>`.
 */
export interface StreamToken {
  /** Id of the key that the token was made with; revoking the key ends the token. */
  readonly keyId: string;
  /** Expiry, in seconds since 1970. */
  readonly expiresAt: number;
  /** HMAC-SHA-256 as base64url. */
  readonly signature: string;
}

const FORMAT = /^cst_([0-9a-f]{16})_([1-9]\d{9,10})_([A-Za-z0-9_-]{43})$/;

/**
 * Signs with the stored hash of the key's secret: every process can verify the token without a row or another secret. The
 * hash never leaves the server, and signatures do not reveal it.
 */
export function formatStreamToken(
  keyId: string,
  keySha256: string,
  executionId: string,
  expiresAt: number,
): string {
  return `cst_${keyId}_${expiresAt}_${sign(keySha256, executionId, expiresAt)}`;
}

/** Null for a malformed token. */
export function parseStreamToken(text: string): StreamToken | null {
  const [, keyId, expiresAt, signature] = FORMAT.exec(text) ?? [];
  if (keyId === undefined || expiresAt === undefined || signature === undefined) return null;
  return { keyId, expiresAt: Number(expiresAt), signature };
}

/** Whether the signature is right for this key and execution, in constant time. It does not check the expiry. */
export function isTokenOf(token: StreamToken, keySha256: string, executionId: string): boolean {
  const right = sign(keySha256, executionId, token.expiresAt);
  return timingSafeEqual(Buffer.from(token.signature), Buffer.from(right));
}

function sign(keySha256: string, executionId: string, expiresAt: number): string {
  return createHmac('sha256', Buffer.from(keySha256, 'hex'))
    .update(`stream token 1\n${executionId.toLowerCase()}\n${expiresAt}`)
    .digest('base64url');
}
