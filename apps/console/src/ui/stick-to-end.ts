import { useEffect, useRef, type RefObject } from 'react';

/** So close to the end in px the reader follows what comes. */
const FOLLOWS_WITHIN = 80;

/**
 * Keeps a scroller at its end while its content grows, if the reader is there; never moves a reader who has scrolled up.
 * @param startsAtEnd whether it begins at the end
 */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  startsAtEnd: boolean,
): void {
  const isAtEnd = useRef(startsAtEnd);
  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return undefined;
    const toEnd = (): void => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    };
    const notice = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < FOLLOWS_WITHIN;
    };
    const observer = new ResizeObserver(toEnd);
    observer.observe(inner);
    element.addEventListener('scroll', notice, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', notice);
    };
  }, [scroller, content]);
}
