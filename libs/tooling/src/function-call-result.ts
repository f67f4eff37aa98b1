import type { JsonValue } from '#libs/kernel';

/**
 * A tool's answer (S2-16). The model reads the whole object as JSON (S2-21); `result.message` is for the model's next
 * turn and never shown to users (S2-20). Return only ids and data that a program needs (S2-8).
 */
export interface FunctionCallResult {
  readonly status: 'success' | 'error';
  readonly result: { readonly message?: string; readonly [key: string]: JsonValue | undefined };
}

export function errorResult(message: string): FunctionCallResult {
  return { status: 'error', result: { message } };
}
