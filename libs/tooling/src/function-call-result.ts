import type { JsonValue } from '#libs/kernel';

/**
 * What a tool answers (S2-16). The whole object, as JSON, is what the model reads (S2-21); `result.message` is written
 * for the model's next turn and never shown to a user (S2-20). Return ids and what a program needs, nothing else (S2-8).
 */
export interface FunctionCallResult {
  readonly status: 'success' | 'error';
  readonly result: { readonly message?: string; readonly [key: string]: JsonValue | undefined };
}

export function errorResult(message: string): FunctionCallResult {
  return { status: 'error', result: { message } };
}
