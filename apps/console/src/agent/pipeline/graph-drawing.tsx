import { useRef } from 'react';
import { useKeys } from '../../ui/keys.js';
import { GAP, type GraphLayout } from './graph-layout.js';
import { GraphJumps, LANE_WIDTH } from './graph-jumps.js';
import type { PipelineGraph } from './pipeline-graph.js';
import { StepBox } from './step-box.js';

interface GraphDrawingProps {
  readonly graph: PipelineGraph;
  readonly layout: GraphLayout;
  readonly openName: string | null;
  readonly agentName: (id: number) => string;
  readonly onOpen: (name: string) => void;
}

/** Input, steps and answer from top to bottom, with what leads past steps on the right. `j` and `k` go from step to step. */
export function GraphDrawing({ graph, layout, openName, agentName, onOpen }: GraphDrawingProps) {
  const list = useRef<HTMLOListElement>(null);
  const { nodes } = graph;
  const { rows, straightFrom, lanes, height } = layout;
  const move = (step: 1 | -1): void => {
    const steps = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const at = steps.findIndex((each) => each === document.activeElement);
    steps[Math.min(steps.length - 1, Math.max(0, at + step))]?.focus({ focusVisible: true });
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  return (
    <div className="flex max-w-2xl min-w-72" style={{ height }}>
      <ol ref={list} aria-label="Steps" className="relative min-w-0 flex-1">
        <EndBox top={rows[0]?.top ?? 0} text="Input of the run" leadsOn={straightFrom.has(0)} />
        {nodes.map((node, index) => {
          const row = rows[index + 1];
          if (row === undefined) return null;
          return (
            <li key={index} className="absolute inset-x-0" style={{ top: row.top, height: row.height }}>
              <StepBox
                node={node}
                isOpen={node.name === openName}
                agentName={agentName}
                onOpen={() => onOpen(node.name)}
              />
              {straightFrom.has(index + 1) && <Arrow />}
            </li>
          );
        })}
        <EndBox top={rows.at(-1)?.top ?? 0} text="Answer" leadsOn={false} />
      </ol>
      <div className="shrink-0" style={{ width: lanes === 0 ? 0 : (lanes + 1) * LANE_WIDTH }}>
        <GraphJumps layout={layout} openRow={nodes.findIndex(({ name }) => name === openName) + 1} />
      </div>
    </div>
  );
}

function EndBox({
  top,
  text,
  leadsOn,
}: {
  readonly top: number;
  readonly text: string;
  readonly leadsOn: boolean;
}) {
  return (
    <li className="absolute inset-x-0 h-9" style={{ top }}>
      <p className="flex h-full items-center justify-center rounded-full border border-line bg-sunken text-muted">
        {text}
      </p>
      {leadsOn && <Arrow />}
    </li>
  );
}

/** Leads to the next row. */
function Arrow() {
  return (
    <svg
      aria-hidden
      width={12}
      height={GAP}
      className="absolute top-full left-1/2 -translate-x-1/2 stroke-edge"
      fill="none"
      strokeWidth={1.5}
    >
      <path d={`M6 0V${GAP - 2}M2 ${GAP - 7}L6 ${GAP - 2}L10 ${GAP - 7}`} />
    </svg>
  );
}
