import { isError } from '#libs/kernel';

/** Serializes an error without its own properties: a failed statement carries its parameters, i.e. clients' texts. */
export function describeError(error: unknown): object {
  if (!isError(error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, ...code, message: error.message, stack: error.stack, ...cause };
}
