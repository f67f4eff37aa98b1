import { clsx } from 'clsx';
import type { PipelineNode } from './pipeline-graph.js';
import { STEP_KINDS } from './step-words.js';

interface StepBoxProps {
  readonly node: PipelineNode;
  readonly isOpen: boolean;
  readonly agentName: (id: number) => string;
  readonly onOpen: () => void;
}

/** One step: name, kind, what it calls, and what decides whether it runs. Each line is as high as the layout counts. */
export function StepBox({ node, isOpen, agentName, onOpen }: StepBoxProps) {
  const { name, kind, when, reads, exits } = node;
  const { word, icon: Icon } = STEP_KINDS[kind];
  const what = whatOf(node, agentName);
  return (
    <button
      type="button"
      aria-pressed={isOpen}
      onClick={onOpen}
      className={clsx(
        'flex h-full w-full flex-col justify-center rounded-md border px-3 text-left leading-5 hover:bg-hover',
        isOpen ? 'border-accent bg-accent-soft' : 'border-edge bg-raised',
        kind === 'branch' && !isOpen && 'border-dashed',
      )}
    >
      <span className="flex w-full min-w-0 items-center gap-2">
        <Icon aria-label={word} className="size-3.5 shrink-0 text-muted" />
        <span className="truncate font-medium">{name}</span>
        <span
          className="ml-auto min-w-0 shrink-0 truncate pl-2 text-sm text-muted max-sm:max-w-1/2"
          title={what}
        >
          {what}
        </span>
      </span>
      {when !== null && <Line word="Only if" text={when} />}
      {reads.length > 0 && <Line word="Reads" text={reads.join(', ')} />}
      {exits.map((exit, index) => (
        <Line
          key={index}
          word={exit.when === null ? 'Otherwise' : 'If'}
          text={exit.when === null ? `→ ${exit.to}` : `${exit.when} → ${exit.to}`}
        />
      ))}
    </button>
  );
}

function Line({ word, text }: { readonly word: string; readonly text: string }) {
  return (
    <span className="block w-full truncate text-sm leading-5 text-muted" title={text}>
      {word} <span className="font-mono text-ink">{text}</span>
    </span>
  );
}

/** Kind of a step with the tool or agent that it calls. */
function whatOf({ kind, inner, tool, agentId }: PipelineNode, agentName: (id: number) => string): string {
  const called = agentId === null ? tool : agentName(agentId);
  const parts = [STEP_KINDS[kind].word, inner === null ? null : STEP_KINDS[inner].word, called];
  return parts.filter((part) => part !== null).join(': ');
}
