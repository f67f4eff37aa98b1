import { AppError, type JsonObject } from '#libs/kernel';
import { z } from 'zod';

/** A field as a form shows it. */
export interface CredentialField {
  readonly variable: string;
  readonly label: string;
  readonly type: 'secret-input' | 'text-input';
  readonly required: boolean;
  readonly default?: string;
}

/** Credential fields of a provider. */
export interface CredentialForm {
  readonly keyField: string;
  readonly baseField: string;
  /** Null if the provider has no organizations. */
  readonly organizationField: string | null;
  /** True if the provider has a default server for configurations without a URL. */
  readonly hasHome: boolean;
  /** Completes a valid URL without trailing slash. */
  completeBase(base: string): string;
  /** Normalised provider-specific options; empty if none are given. Throws `INVALID_CREDENTIALS`. */
  readOptions(raw: Readonly<Record<string, unknown>>): JsonObject;
  readonly fields: readonly CredentialField[];
  /** The fields as API schema, with descriptions. */
  readonly shape: Readonly<Record<string, z.ZodType>>;
}

const textOrNumber = z.union([z.string().max(20), z.number()]);

/** Timeout and retry fields common to all providers (S1-10, S1-11). */
export const sharedShape = {
  request_timeout_seconds: textOrNumber
    .optional()
    .describe('Maximum seconds of a request; 30 to 900, default 300.'),
  first_byte_timeout_seconds: z
    .int('must be a whole number')
    .min(1)
    .max(900)
    .optional()
    .describe('Maximum seconds until a streamed answer begins; 1 to 900, default 60.'),
  stream_when: z
    .enum(['always', 'followed'])
    .optional()
    .describe(
      'When calls of an execution are streamed; default `always`. With `followed` a call asks for the whole answer while no client follows the execution. While a retry is left, a whole answer may take half of the time until the deadline, at most `request_timeout_seconds`; with less than 60 seconds left, the call streams. The last try streams unless more than `request_timeout_seconds` are left.',
    ),
  auth: z.enum(['key', 'none']).optional().describe('`none` for a server of your own that asks for no key.'),
  max_retries: textOrNumber.optional().describe('Retries of a failed request; 0 to 5, default 1.'),
};

export const SHARED_FIELDS: readonly CredentialField[] = [
  {
    variable: 'request_timeout_seconds',
    label: 'Request timeout in seconds (30 to 900)',
    type: 'text-input',
    required: false,
    default: '300',
  },
  {
    variable: 'max_retries',
    label: 'Retries (0 to 5)',
    type: 'text-input',
    required: false,
    default: '1',
  },
];

/** An invalid credential. `message` never quotes a value. */
export function invalidCredential(field: string, message: string): AppError {
  return new AppError({ code: 'INVALID_CREDENTIALS', kind: 'invalid_input', message, details: { field } });
}
