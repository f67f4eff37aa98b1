import { useRef } from 'react';
import { useKeys } from '../ui/keys.js';
import { callBeside, nextCall, type CallPlace } from './next-call.js';

/**
 * Keys of the inbox: `j` and `k` go from call to call, `a` approves the one that has the focus, `r` refuses it with a
 * reason. Returns what to do once a call was decided: the next one gets the focus.
 */
export function useCallKeys(): (decided: string) => void {
  const last = useRef<string | null>(null);
  const current = (): string | null => keyOf(document.activeElement?.closest('[data-call]') ?? null);
  const go = (key: string | null): void => {
    last.current = key;
    elementOf(key)?.focus({ preventScroll: true });
    elementOf(key)?.scrollIntoView({ block: 'nearest' });
  };
  const move = (step: 1 | -1): void => go(callBeside(placesOf(), current() ?? last.current, step));
  const press = (name: 'approve' | 'refuse'): void => {
    const key = current();
    // A call without the focus is not decided over: the first press shows which one it would be.
    if (key === null) go(callBeside(placesOf(), last.current, 1));
    else elementOf(key)?.querySelector<HTMLElement>(`[data-decide="${name}"]`)?.click();
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    a: () => press('approve'),
    r: () => press('refuse'),
  });
  return (decided) => go(nextCall(placesOf(), decided));
}

function placesOf(): CallPlace[] {
  return [...document.querySelectorAll('[data-call]')].map((element) => ({
    key: keyOf(element) ?? '',
    isWaiting: element.getAttribute('data-waiting') === 'true',
  }));
}

const keyOf = (element: Element | null): string | null => element?.getAttribute('data-call') ?? null;

function elementOf(key: string | null): HTMLElement | null {
  return key === null ? null : document.querySelector<HTMLElement>(`[data-call="${CSS.escape(key)}"]`);
}
