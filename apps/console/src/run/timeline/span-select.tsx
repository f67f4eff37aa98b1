import { useState, type PointerEvent } from 'react';

interface Drawn {
  readonly from: number;
  readonly to: number;
}

/** Lets a pointer draw over a part of the axis, in shares from 0 to 1. Buttons and keys zoom as well. */
export function SpanSelect({ onSelect }: { readonly onSelect: (one: number, other: number) => void }) {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const end = (): void => {
    if (drawn !== null) onSelect(drawn.from, drawn.to);
    setDrawn(null);
  };
  return (
    <div
      title="Draw over a part to zoom in on it"
      className="absolute inset-0 cursor-col-resize touch-none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = shareAt(event);
        setDrawn({ from: at, to: at });
      }}
      onPointerMove={(event) => {
        if (drawn !== null) setDrawn({ from: drawn.from, to: shareAt(event) });
      }}
      onPointerUp={end}
      onPointerCancel={() => setDrawn(null)}
    >
      {drawn !== null && (
        <div
          className="absolute inset-y-0 bg-accent/30"
          style={{
            left: `${Math.min(drawn.from, drawn.to) * 100}%`,
            width: `${Math.abs(drawn.to - drawn.from) * 100}%`,
          }}
        />
      )}
    </div>
  );
}

function shareAt({ clientX, currentTarget }: PointerEvent): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - left) / width));
}
