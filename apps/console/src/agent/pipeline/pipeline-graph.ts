import type { JsonObject } from '../../format/json-object.js';
import { conditionWords } from './condition-words.js';

const KINDS = ['llm', 'tool', 'agent', 'branch', 'map'] as const;
export type StepKind = (typeof KINDS)[number] | 'unknown';

/** A way out of a branch. */
export interface BranchExit {
  /** Condition in words; null for what is done otherwise. */
  readonly when: string | null;
  /** Name of a step, or `end`. */
  readonly to: string;
}

export interface PipelineNode {
  readonly name: string;
  readonly kind: StepKind;
  /** Kind of the step that a `map` does for each item; null for others. */
  readonly inner: StepKind | null;
  /** Tool that it calls; null for none. */
  readonly tool: string | null;
  /** Id of the agent that it calls; null for none. */
  readonly agentId: number | null;
  /** Condition in words without which it is skipped; null for none. */
  readonly when: string | null;
  /** Ways out of a branch; none of other steps. */
  readonly exits: readonly BranchExit[];
  /** Names of earlier steps whose outputs it reads. */
  readonly reads: readonly string[];
  /** The step as it is written. */
  readonly written: unknown;
}

/** Leads from one row to a later one: row 0 is the input, the steps follow, and the last row is the answer. */
export interface PipelineEdge {
  readonly from: number;
  readonly to: number;
  /** Place of the exit of the branch that it is; null for the edge of another step. */
  readonly exit: number | null;
}

export interface PipelineGraph {
  readonly nodes: readonly PipelineNode[];
  readonly edges: readonly PipelineEdge[];
}

const END = 'end';

/** Steps of a pipeline and how one follows the other; null where there are none. It may hold faults still. Pure. */
export function pipelineGraphOf({ steps }: JsonObject): PipelineGraph | null {
  if (!Array.isArray(steps) || steps.length === 0) return null;
  const names = steps.map(nameOf);
  const nodes = steps.map((step: unknown, index) => nodeOf(step, index, names));
  return { nodes, edges: edgesOf(nodes) };
}

function nodeOf(written: unknown, index: number, names: readonly string[]): PipelineNode {
  const name = names[index] ?? '';
  const before = names.slice(0, index);
  // A name alone stands for a step of the model that reads the outputs of all steps before it.
  if (typeof written === 'string') return { ...EMPTY, name, kind: 'llm', reads: before, written };
  const step = objectOf(written);
  const inner = objectOf(step['do']);
  const kind = kindOf(step['kind']);
  return {
    name,
    kind,
    inner: kind === 'map' ? kindOf(inner['kind']) : null,
    tool: textOf(step['tool'] ?? inner['tool']),
    agentId: numberOf(step['agent'] ?? inner['agent']),
    when: step['when'] === undefined ? null : conditionWords(step['when']),
    exits: kind === 'branch' ? exitsOf(step, names[index + 1] ?? END) : [],
    reads: before.filter((each) => isRead(each, JSON.stringify(step))),
    written,
  };
}

const EMPTY = { inner: null, tool: null, agentId: null, when: null, exits: [] } as const;

function exitsOf({ cases, otherwise }: JsonObject, next: string): BranchExit[] {
  const list: readonly unknown[] = Array.isArray(cases) ? cases : [];
  const chosen = list
    .map(objectOf)
    .flatMap(({ when, then }) =>
      typeof then === 'string' ? [{ when: conditionWords(when), to: then }] : [],
    );
  return [...chosen, { when: null, to: textOf(otherwise) ?? next }];
}

/** An exit that names no later step is a fault, and gets no edge. */
function edgesOf(nodes: readonly PipelineNode[]): PipelineEdge[] {
  const endRow = nodes.length + 1;
  const rowOf = (name: string): number =>
    name === END ? endRow : nodes.findIndex((node) => node.name === name) + 1;
  const own = nodes.flatMap(({ kind, exits }, index): PipelineEdge[] => {
    const from = index + 1;
    if (kind !== 'branch') return [{ from, to: from + 1, exit: null }];
    return exits.map(({ to }, exit) => ({ from, to: rowOf(to), exit })).filter(({ to }) => to > from);
  });
  return [{ from: 0, to: 1, exit: null }, ...own];
}

/** Whether a template or a pointer of the step leads into the output of another one. */
function isRead(name: string, text: string): boolean {
  const pointer = `/steps/${name}`;
  for (let at = text.indexOf(pointer); at !== -1; at = text.indexOf(pointer, at + 1)) {
    const next = text.charAt(at + pointer.length);
    if (!/[\w-]/.test(next)) return true;
  }
  return false;
}

function nameOf(step: unknown, index: number): string {
  return (typeof step === 'string' ? step : textOf(objectOf(step)['name'])) ?? `step ${index + 1}`;
}

const kindOf = (kind: unknown): StepKind => KINDS.find((each) => each === kind) ?? 'unknown';

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};
