import { toHarmlessCode } from '../wire/model-calls/failed-ending.js';

/** Words of providers that send no code of their own for these two. */
const TOO_LONG =
  /^prompt is too long|^input length and `max_tokens` exceed|input is too long for requested model/iu;
const NO_CREDIT = /credit balance is too low/iu;

/** Codes of types that services without codes have for the same. */
const CODES_OF_TYPES: Readonly<Record<string, string>> = {
  billing_error: 'insufficient_quota',
  throttlingException: 'rate_limited',
  validationException: 'invalid_request_error',
  ...Object.fromEntries(
    [
      ...['UnrecognizedClientException', 'InvalidSignatureException', 'IncompleteSignatureException'],
      ...['ExpiredTokenException', 'InvalidClientTokenId', 'MissingAuthenticationTokenException'],
    ].map((type) => [type, 'invalid_api_key']),
  ),
};

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
  if (NO_CREDIT.test(message)) return 'insufficient_quota';
  return typeof type === 'string' && Object.hasOwn(CODES_OF_TYPES, type)
    ? (CODES_OF_TYPES[type] ?? null)
    : null;
}
