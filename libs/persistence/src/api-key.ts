import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key as the client sends it: `csk_<id>_<secret>`. */
export interface ApiKey {
  /** Public, 16 hexadecimal digits: names the key. */
  readonly id: string;
  /** 256 random bits as base64url. */
  readonly secret: string;
}

const FORMAT = /^csk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

export function makeApiKey(): ApiKey {
  return { id: randomBytes(8).toString('hex'), secret: randomBytes(32).toString('base64url') };
}

export function formatApiKey(key: ApiKey): string {
  return `csk_${key.id}_${key.secret}`;
}

/** Null when the text cannot be a key, so that no database is asked about it. */
export function parseApiKey(text: string): ApiKey | null {
  const [, id, secret] = FORMAT.exec(text) ?? [];
  return id && secret ? { id, secret } : null;
}

/** SHA-256, hexadecimal. A secret of 256 random bits cannot be guessed, so it needs no slow hash. */
export function hashApiKeySecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares in constant time. */
export function isSecretOf(secret: string, storedSha256: string): boolean {
  return timingSafeEqual(Buffer.from(hashApiKeySecret(secret), 'hex'), Buffer.from(storedSha256, 'hex'));
}
