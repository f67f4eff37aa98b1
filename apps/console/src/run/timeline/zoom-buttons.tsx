import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { IconButton } from '../../ui/button.js';
import { useKeys } from '../../ui/keys.js';

interface ZoomButtonsProps {
  readonly isZoomed: boolean;
  readonly onZoomIn: () => void;
  readonly onZoomOut: () => void;
  readonly onShowAll: () => void;
  /** Moves the window of time by half of its length. */
  readonly onMove: (direction: 1 | -1) => void;
}

/** Zooms the timeline, by buttons and by keys. */
export function ZoomButtons({ isZoomed, onZoomIn, onZoomOut, onShowAll, onMove }: ZoomButtonsProps) {
  useKeys({
    '+': onZoomIn,
    '-': onZoomOut,
    '0': onShowAll,
    ...(isZoomed && { ArrowLeft: () => onMove(-1), ArrowRight: () => onMove(1) }),
  });
  const whole = isZoomed ? null : 'All of it is shown';
  return (
    <div role="group" aria-label="Zoom" className="flex">
      <IconButton label="Zoom in (+)" className="size-7" onClick={onZoomIn}>
        <ZoomIn aria-hidden className="size-3.5" />
      </IconButton>
      <IconButton label="Zoom out (-)" className="size-7" unavailable={whole} onClick={onZoomOut}>
        <ZoomOut aria-hidden className="size-3.5" />
      </IconButton>
      <IconButton label="Show all (0)" className="size-7" unavailable={whole} onClick={onShowAll}>
        <Maximize2 aria-hidden className="size-3.5" />
      </IconButton>
    </div>
  );
}
