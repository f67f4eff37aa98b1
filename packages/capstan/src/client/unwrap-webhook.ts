import { WebhookError } from './errors.js';
import type { WebhookEvent } from './types.js';

/** A webhook that is older, or from further ahead, is refused: it may be a copy. */
const TOLERANCE_S = 5 * 60;

type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks the signature of a webhook (https://www.standardwebhooks.com) and reads it.
 * @param body exactly as it came, before any parsing
 * @param secret `whsec_…`, or several while one is replaced
 * @param now time in ms since 1970
 * @throws {WebhookError} where no signature holds, or it is more than five minutes from now
 */
export async function unwrapWebhook(
  body: string | Uint8Array,
  headers: GivenHeaders,
  secret: string | readonly string[],
  now: number = Date.now(),
): Promise<WebhookEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, name));
  if (!isRecent(timestamp, now)) {
    throw new WebhookError('webhook-timestamp is no time within five minutes of now.');
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const one of [secret].flat()) {
    const key = await keyOf(one);
    for (const signature of signaturesIn(signatures ?? '')) {
      // It compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text) as WebhookEvent;
    }
  }
  throw new WebhookError('No signature of the webhook holds: another secret, or another body than was sent.');
}

function headerOf(headers: GivenHeaders, name: string): string {
  const full = `webhook-${name}`;
  const value =
    headers instanceof Headers
      ? headers.get(full)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === full)?.[1];
  const one = typeof value === 'object' ? value?.[0] : value;
  if (one === undefined || one === '') throw new WebhookError(`${full} is missing.`);
  return one;
}

function isRecent(timestamp: string | undefined, now: number): boolean {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE_S;
}

function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(' ').flatMap((each) => (each.startsWith('v1,') ? (bytesOf(each.slice(3)) ?? []) : []));
}

async function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length === 0) throw new WebhookError('The secret is no base64 behind whsec_.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Null where the text is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
