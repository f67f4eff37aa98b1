import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

type Falsy = false | 0 | 0n | '' | null | undefined;

/** How long to wait, in milliseconds, and what for: the words end up in the failure. */
export interface WaitOptions {
  readonly description: string;
  readonly timeoutMs?: number;
  /** Between two questions; by default what `intervalAfter` says. */
  readonly intervalMs?: number;
}

/**
 * In milliseconds: a tenth of the wait so far, 20 at least and 1 000 at most. A question is a request or a statement, and
 * dozens that wait at the same time would take all of the processors. Pure.
 */
export function intervalAfter(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 10, 20), 1_000);
}

/**
 * Asks `condition` until its answer is truthy, and returns that answer. An error it throws counts as "not yet".
 * Throws after `timeoutMs` (90 s, which slowness alone does not take) with the description and what was seen last.
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

/** Not by `instanceof Error`: in jest an error of a builtin is not one of the test's Error class. */
function messageOf(cause: unknown): string {
  const hasMessage = typeof cause === 'object' && cause !== null && 'message' in cause;
  return hasMessage ? String(cause.message) : inspect(cause);
}
