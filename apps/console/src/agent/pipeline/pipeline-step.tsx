import { Link } from '@tanstack/react-router';
import { Inspector } from '../../ui/inspector.js';
import { JsonView } from '../../ui/json-view.js';
import { LongText } from '../../ui/long-text.js';
import type { JsonObject } from '../../format/json-object.js';
import type { PipelineNode } from './pipeline-graph.js';
import { STEP_KINDS } from './step-words.js';

interface PipelineStepProps {
  readonly node: PipelineNode;
  readonly agentName: (id: number) => string;
  readonly onClose: () => void;
}

/** Everything of one step as it is written: its prompt as text, and all of it as JSON. */
export function PipelineStep({ node, agentName, onClose }: PipelineStepProps) {
  const { name, kind, tool, agentId, written } = node;
  const prompt = promptOf(written);
  return (
    <Inspector label={`Step ${name}`} title={name} onClose={onClose}>
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-y-1 [&_dt]:text-muted">
        <dt>Kind</dt>
        <dd>{STEP_KINDS[kind].word}</dd>
        {agentId !== null && (
          <>
            <dt>Agent</dt>
            <dd>
              <Link to="/agents/$id" params={{ id: String(agentId) }} className="hover:underline">
                {agentName(agentId)}
              </Link>
            </dd>
          </>
        )}
        {tool !== null && (
          <>
            <dt>Tool</dt>
            <dd>
              <Link to="/tools/$name" params={{ name: tool }} className="hover:underline">
                {tool}
              </Link>
            </dd>
          </>
        )}
      </dl>
      {prompt !== null && (
        <section aria-label="Prompt">
          <h3 className="text-sm text-muted">Prompt</h3>
          <LongText text={prompt} fileName={`${name}-prompt.txt`} className="font-mono text-sm" />
        </section>
      )}
      <JsonView label="As it is written" value={written} fileName={`${name}.json`} />
    </Inspector>
  );
}

function promptOf(step: unknown): string | null {
  if (typeof step !== 'object' || step === null) return null;
  const { prompt, do: inner } = step as JsonObject;
  if (typeof prompt === 'string') return prompt;
  return inner === undefined ? null : promptOf(inner);
}
