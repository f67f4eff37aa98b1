import { readPipeline, type PipelineStep } from '#libs/policy';
import type { AnswerRules, JournalEntry, LoopRules } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import { AgentWorld, type AgentScripts, type AgentWorldOptions } from './agent-world.js';
import { asks, says } from './agents-at-work.js';

/** Parses steps as they are written in an agent. */
export function stepsOf(...steps: JsonObject[]): readonly PipelineStep[] {
  const read = readPipeline({ steps });
  if (read.kind === 'faults') throw new Error(JSON.stringify(read.faults));
  return read.pipeline.steps;
}

export const wantsN: AnswerRules = {
  findFaults: (answer) => (typeof (answer as JsonObject)['n'] === 'number' ? [] : ['n: must be number']),
};

/** A world with a pipeline as its root; the loops of the steps play the scripts under their names. */
export function pipelineOf(
  steps: readonly PipelineStep[],
  scripts: AgentScripts,
  {
    rules = {},
    ...options
  }: AgentWorldOptions & { readonly rules?: Record<string, Partial<LoopRules>> } = {},
): AgentWorld {
  const pipeline = { steps, given: { input: 'two roma', additional_data: { branch: 7 } } };
  const root = { pipeline, maximumIterations: Number.MAX_SAFE_INTEGER, ...rules['root'] };
  return new AgentWorld({ ...scripts, root: [] }, { ...options, rules: { ...rules, root } });
}

/** The events of its steps, such as `draft begun 1` or `draft succeeded`. */
export const kindsOf = (entries: readonly JournalEntry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.kind === 'step_begun') return [`${entry.step} begun ${entry.attempt}`];
    return entry.kind === 'step_settled' ? [`${entry.step} ${entry.outcome.status}`] : [];
  });

export const WHOLE = stepsOf(
  { name: 'extract', kind: 'llm', prompt: 'Extract: {{/input}}', output_schema: { type: 'object' } },
  {
    name: 'find',
    kind: 'tool',
    tool: 'search',
    arguments: { n: '{{/steps/extract/n}}', of: 'x {{/input}}' },
  },
  { name: 'never', kind: 'llm', prompt: 'x', when: { value: '/steps/extract/n', at_least: 3 } },
  { name: 'pay', kind: 'tool', tool: 'charge' },
  {
    name: 'draft',
    kind: 'llm',
    prompt: 'Of {{/steps/find/message}} and {{/steps/never}}: {{/additional_data/branch}}',
  },
);
export const SCRIPTS: AgentScripts = {
  extract: [says('{"n": "two"}'), says('```json\n{"n": 2}\n```')],
  draft: [asks('charge', 'search'), says('drafted')],
};
export const ANSWERS = { rules: { extract: { answer: wantsN } } };
export const DONE = { kind: 'settled', outcome: { status: 'completed', text: 'drafted' } };
