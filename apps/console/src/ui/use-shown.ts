import { useEffect, type RefObject } from 'react';

/**
 * Scrolls a part of a narrow bar into view: at first, when `current` changes, and when the bar gets another width. It does
 * so once the page is laid out, which costs nothing more then.
 * @param selector of the part within the bar
 */
export function useShown(bar: RefObject<HTMLElement | null>, selector: string, current: string): void {
  useEffect(() => {
    const target = bar.current;
    if (target === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (target.scrollWidth <= target.clientWidth) return;
      target.querySelector(selector)?.scrollIntoView({ block: 'nearest', inline: 'center' });
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [bar, selector, current]);
}
