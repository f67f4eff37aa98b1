import { redactText } from '#libs/agent-core';
import { toStorableText } from '#libs/kernel';
import type { StoredAnswer } from '#libs/persistence';

interface ReceivedAnswer {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  readonly isWhole: boolean;
}

/** Longest beginning of a body that is kept, in characters. */
const MAX_KEPT = 2_000;
/** More is read before secrets are redacted, so that none is cut in half and kept. */
const MAX_READ_BYTES = 4 * MAX_KEPT;
const MAX_TYPE = 200;

/**
 * The part of an answer that is kept; null for one without a body. Pure.
 *
 * @param secrets what the request was signed with, and its signatures: receivers may repeat what they were sent
 */
export function keptAnswer(
  { headers, body, isWhole }: ReceivedAnswer,
  secrets: readonly string[],
): StoredAnswer | null {
  if (body.byteLength === 0) return null;
  const type = headers['content-type'];
  const content_type = typeof type === 'string' ? toStorableText(type).slice(0, MAX_TYPE) : null;
  const text = textOf(body.subarray(0, MAX_READ_BYTES));
  if (text === null) return { content_type, body: null, truncated: false };
  const shown = redactText(toStorableText(text), secrets);
  const kept = toStorableText(shown.slice(0, MAX_KEPT));
  return {
    content_type,
    body: kept,
    truncated: !isWhole || shown.length > MAX_KEPT || body.byteLength > MAX_READ_BYTES,
  };
}

/** Null if the bytes are no UTF-8, such as those of a compressed body. A character that is cut off at the end is dropped. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
