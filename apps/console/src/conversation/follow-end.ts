import { useEffect, useRef } from 'react';

/** So close to the end in px the reader follows what comes. */
const FOLLOWS_WITHIN = 80;

/** Stays at the end while more comes, if the reader is there; never moves a reader who has scrolled up. */
export function useFollowEnd(scroller: { readonly current: HTMLDivElement | null }, changing: unknown): void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const notice = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < FOLLOWS_WITHIN;
    };
    element.addEventListener('scroll', notice, { passive: true });
    return () => element.removeEventListener('scroll', notice);
  });
  useEffect(() => {
    const element = scroller.current;
    if (changing === null || element === null || !isAtEnd.current) return;
    element.scrollTo({ top: element.scrollHeight });
  }, [changing, scroller]);
}
