import { useAgentName } from '../../api/agents.js';
import { Empty } from '../../ui/notice.js';
import { WithInspector } from '../../ui/with-inspector.js';
import type { AgentDraft } from '../draft/agent-draft.js';
import { layoutGraph } from './graph-layout.js';
import { GraphDrawing } from './graph-drawing.js';
import { pipelineGraphOf } from './pipeline-graph.js';
import { PipelineStep } from './pipeline-step.js';

interface PipelineTabProps {
  readonly draft: AgentDraft;
  /** Name of the step that is open; null for none. */
  readonly openName: string | null;
  readonly onOpen: (name: string | null) => void;
}

/** Steps of a pipeline as a drawing, with what stands in the form, saved or not. */
export function PipelineTab({ draft, openName, onOpen }: PipelineTabProps) {
  const agentName = useAgentName();
  const graph = pipelineGraphOf(draft.config);
  if (graph === null) {
    return (
      <Empty title="There are no steps yet">
        <p className="text-muted">
          A pipeline has its steps in <span className="font-mono text-sm">config.steps</span>: write them
          under Edit, in the JSON of the parameters.
        </p>
      </Empty>
    );
  }
  const open = graph.nodes.find(({ name }) => name === openName);
  return (
    <WithInspector
      inspector={
        open !== undefined && (
          <PipelineStep key={open.name} node={open} agentName={agentName} onClose={() => onOpen(null)} />
        )
      }
    >
      <div
        className="min-h-0 min-w-0 flex-1 overflow-auto p-4"
        tabIndex={0}
        role="group"
        aria-label="Drawing"
      >
        <GraphDrawing
          graph={graph}
          layout={layoutGraph(graph)}
          openName={openName}
          agentName={agentName}
          onOpen={(name) => onOpen(name === openName ? null : name)}
        />
      </div>
    </WithInspector>
  );
}
