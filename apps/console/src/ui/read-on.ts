import { useEffect } from 'react';
import type { Virtualizer } from '@tanstack/react-virtual';

/**
 * Reads on while fewer than `ahead` rows follow the last one in view. Asked after every change, not only when the list is
 * scrolled: a page of large rows may hold so few that there is nothing to scroll, or none that can be shown yet.
 * @param readMore is called often, and knows when there is nothing to do
 */
export function useReadOn(
  virtual: Virtualizer<HTMLDivElement, Element>,
  ahead: number,
  readMore: (() => void) | undefined,
): void {
  useEffect(() => {
    const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
    if (last >= virtual.options.count - ahead) readMore?.();
  });
}
