import type { PipelineEdge, PipelineGraph, PipelineNode } from './pipeline-graph.js';

/** Heights in px. */
const LINE = 20;
const PADDING = 8;
export const GAP = 24;

/** Place of one row: the input, a step or the answer. In px from the top. */
export interface PlacedRow {
  readonly top: number;
  readonly height: number;
}

/** An edge past other rows, beside them in a lane. `fromY` and `toY` are px from the top. */
export interface Jump {
  readonly from: number;
  readonly to: number;
  readonly lane: number;
  readonly fromY: number;
  readonly toY: number;
}

export interface GraphLayout {
  readonly rows: readonly PlacedRow[];
  /** Rows from which an edge leads to the very next one. */
  readonly straightFrom: ReadonlySet<number>;
  readonly jumps: readonly Jump[];
  readonly lanes: number;
  readonly height: number;
}

/** Lines of text of a step in the drawing: its name, what it does, what it depends on, and one for each exit. Pure. */
function lineCountOf({ when, reads, exits }: PipelineNode): number {
  return 1 + (when === null ? 0 : 1) + (reads.length === 0 ? 0 : 1) + exits.length;
}

/** Puts rows below each other, and edges that lead past rows into as few lanes as they need. Pure. */
export function layoutGraph({ nodes, edges }: PipelineGraph): GraphLayout {
  const heights = [1, ...nodes.map(lineCountOf), 1].map((lines) => lines * LINE + 2 * PADDING);
  const rows: PlacedRow[] = [];
  let top = 0;
  for (const height of heights) {
    rows.push({ top, height });
    top += height + GAP;
  }
  const isStraight = ({ from, to }: PipelineEdge): boolean => to === from + 1;
  const jumps = placeJumps(
    edges.filter((edge) => !isStraight(edge)),
    rows,
    nodes,
  );
  return {
    rows,
    straightFrom: new Set(edges.filter(isStraight).map(({ from }) => from)),
    jumps,
    lanes: Math.max(0, ...jumps.map(({ lane }) => lane + 1)),
    height: top - GAP,
  };
}

/** The shortest edges lie inside: each takes the first lane that no other one needs at these rows. */
function placeJumps(
  edges: readonly PipelineEdge[],
  rows: readonly PlacedRow[],
  nodes: readonly PipelineNode[],
): Jump[] {
  const placed: Jump[] = [];
  for (const { from, to, exit } of edges.toSorted((a, b) => a.to - a.from - (b.to - b.from))) {
    const taken = new Set(placed.filter((jump) => from < jump.to && jump.from < to).map((jump) => jump.lane));
    let lane = 0;
    while (taken.has(lane)) lane += 1;
    placed.push({
      ...{ from, to, lane },
      fromY: exitY(rows[from], nodes[from - 1], exit),
      toY: entryY(rows[to]),
    });
  }
  return placed;
}

/** Beside the line of its exit: exits are the last lines of a branch. */
function exitY(row: PlacedRow | undefined, node: PipelineNode | undefined, exit: number | null): number {
  if (row === undefined) return 0;
  const fromEnd = exit === null || node === undefined ? 1 : node.exits.length - exit;
  return row.top + row.height - PADDING - (fromEnd - 0.5) * LINE;
}

const entryY = (row: PlacedRow | undefined): number => (row === undefined ? 0 : row.top + PADDING + LINE / 2);
