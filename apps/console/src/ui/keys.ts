import { useEffect, useEffectEvent } from 'react';

type Handlers = Readonly<Partial<Record<string, (event: KeyboardEvent) => void>>>;

/**
 * Calls a handler for its key (`j`, `Enter`, `mod+k`) on the whole page, but not while a person types or a dialog is open.
 */
export function useKeys(handlers: Handlers): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const name = nameOf(event);
    if (name === null || event.defaultPrevented) return;
    if (!name.startsWith('mod+') && (isTyping(event.composedPath()[0] ?? null) || isDialogOpen())) return;
    const handler = handlers[name];
    if (handler === undefined) return;
    event.preventDefault();
    handler(event);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

function nameOf(event: KeyboardEvent): string | null {
  if (event.altKey) return null;
  if (event.metaKey || event.ctrlKey) return `mod+${event.key.toLowerCase()}`;
  return event.key;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
}

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;
