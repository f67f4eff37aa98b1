import { useSyncExternalStore } from 'react';

const TICK_MS = 1000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    now = Date.now();
    listeners.forEach((each) => each());
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** Current Unix time in ms, renewed each second by one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Beginning of the current minute as Unix time in ms; what reads it is drawn again once a minute only. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now / 60_000) * 60_000);
}
