import { toStorableText, type JsonValue } from '#libs/kernel';
import type { ReportedUsage, ResponseEnding } from './restored-answer.js';

/** Ending without an answer. The provider's values are not trusted to have any shape. */
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

/** Returns a provider's error code if it is a plain identifier; never a sentence, a key or a part of the prompt. */
export function toHarmlessCode(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_.]{0,63}$/.test(value) ? value : null;
}
