import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

type Falsy = false | 0 | 0n | '' | null | undefined;

/** The limit of a wait in milliseconds, and its description for the error message. */
export interface WaitOptions {
  readonly description: string;
  readonly timeoutMs?: number;
  /** Milliseconds between two checks; by default `intervalAfter`. */
  readonly intervalMs?: number;
}

/**
 * Milliseconds until the next check: a tenth of the wait so far, from 20 to 1 000. Each check is a request or a statement,
 * and dozens of waits at once would use up the processors. Pure.
 */
export function intervalAfter(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 10, 20), 1_000);
}

/**
 * Calls `condition` until its result is truthy, and returns the result. An error counts as "not yet". Throws after
 * `timeoutMs` (90 s, which slowness alone does not take) with the description and the last result.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { description, timeoutMs = 90_000, intervalMs }: WaitOptions,
): Promise<Exclude<T, Falsy>> {
  const begunAt = Date.now();
  for (;;) {
    const seen = await look(condition);
    if (seen.kind === 'met') return seen.answer;
    const waitedMs = Date.now() - begunAt;
    if (waitedMs >= timeoutMs) {
      throw new Error(`Waited ${timeoutMs} ms in vain for: ${description}. Last seen: ${seen.lastSeen}`, {
        cause: seen.cause,
      });
    }
    await delay(intervalMs ?? intervalAfter(waitedMs));
  }
}

type Look<T> =
  | { readonly kind: 'met'; readonly answer: Exclude<T, Falsy> }
  | { readonly kind: 'not_yet'; readonly lastSeen: string; readonly cause?: unknown };

async function look<T>(condition: () => T | Promise<T>): Promise<Look<T>> {
  try {
    const answer = await condition();
    return isMet(answer) ? { kind: 'met', answer } : { kind: 'not_yet', lastSeen: inspect(answer) };
  } catch (cause) {
    return { kind: 'not_yet', lastSeen: messageOf(cause), cause };
  }
}

function isMet<T>(answer: T): answer is Exclude<T, Falsy> {
  return Boolean(answer);
}

/** Not by `instanceof Error`: in jest an error of a builtin is no instance of the test's Error class. */
function messageOf(cause: unknown): string {
  const hasMessage = typeof cause === 'object' && cause !== null && 'message' in cause;
  return hasMessage ? String(cause.message) : inspect(cause);
}
