import { useEffect, type RefObject } from 'react';

/**
 * Scrolls a part of a narrow bar into view: at first, and when `current` changes.
 * @param selector of the part within the bar
 */
export function useShown(bar: RefObject<HTMLElement | null>, selector: string, current: string): void {
  useEffect(() => {
    bar.current?.querySelector(selector)?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [bar, selector, current]);
}
