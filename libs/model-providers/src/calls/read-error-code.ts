import { toHarmlessCode } from '#libs/payloads';

/** Words of providers that send no code of their own for these two. */
const TOO_LONG =
  /^prompt is too long|^input length and `max_tokens` exceed|input is too long for requested model/iu;
const NO_CREDIT = /credit balance is too low/iu;

/** The facts of an error body; none of them is trusted to have any shape. */
export interface SaidError {
  readonly code: unknown;
  readonly type: unknown;
  readonly message: string;
}

/** Code of an error, also where its server says it by the type or in words only; null if there is none. */
export function readErrorCode({ code, type, message }: SaidError): string | null {
  const given = toHarmlessCode(code);
  if (given !== null) return given;
  if (TOO_LONG.test(message)) return 'context_length_exceeded';
  return type === 'billing_error' || NO_CREDIT.test(message) ? 'insufficient_quota' : null;
}
