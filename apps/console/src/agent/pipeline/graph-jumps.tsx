import { clsx } from 'clsx';
import type { GraphLayout, Jump } from './graph-layout.js';

/** Width of a lane in px. */
export const LANE_WIDTH = 16;
const BEND = 6;

/** Edges that lead past steps; those of the open step stand out. The steps say the same in words. */
export function GraphJumps({
  layout: { jumps, lanes, height },
  openRow,
}: {
  readonly layout: GraphLayout;
  /** Row of the open step; 0 for none. */
  readonly openRow: number;
}) {
  if (jumps.length === 0) return null;
  return (
    <svg aria-hidden width={(lanes + 1) * LANE_WIDTH} height={height} fill="none" strokeWidth={1.5}>
      {jumps.map((jump) => (
        <path
          key={`${jump.from} ${jump.to} ${jump.fromY}`}
          d={pathOf(jump)}
          className={clsx(
            openRow !== 0 && (jump.from === openRow || jump.to === openRow) ? 'stroke-accent' : 'stroke-edge',
          )}
        />
      ))}
    </svg>
  );
}

function pathOf({ fromY, toY, lane }: Jump): string {
  const x = (lane + 1) * LANE_WIDTH;
  const out = `M0 ${fromY}H${x - BEND}Q${x} ${fromY} ${x} ${fromY + BEND}`;
  const down = `V${toY - BEND}Q${x} ${toY} ${x - BEND} ${toY}H2`;
  return `${out}${down}M7 ${toY - 4}L2 ${toY}L7 ${toY + 4}`;
}
