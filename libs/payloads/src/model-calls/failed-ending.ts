import { toStorableText, type JsonValue } from '#libs/kernel';
import type { ReportedUsage, ResponseEnding } from './restored-answer.js';

/** An ending without an answer, from what a provider said of it; nothing of that is believed to have a shape. */
export function failedEnding(said: {
  readonly status?: JsonValue;
  readonly code?: JsonValue | undefined;
  readonly message?: JsonValue | undefined;
  readonly reported?: ReportedUsage | null;
}): ResponseEnding {
  const { status, code, message, reported = null } = said;
  return {
    kind: 'failed',
    status: toHarmlessCode(status),
    code: toHarmlessCode(code),
    message: typeof message === 'string' && message.trim() !== '' ? toStorableText(message) : null,
    reported,
  };
}

/** A provider's error code if it is nothing but that: never a sentence, a key or a piece of the prompt. */
export function toHarmlessCode(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_.]{0,63}$/.test(value) ? value : null;
}
