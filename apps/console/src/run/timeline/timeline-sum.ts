import type { RecordedEntry } from '../../api/types.js';

interface ModelSum {
  readonly calls: number;
  /** Null where no provider has said it of any call. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** In US dollars; null where no price is known. */
  readonly cost: number | null;
}

/** Sums over the calls of a run. */
export interface TimelineSum {
  readonly toolCalls: number;
  readonly failedCalls: number;
  readonly unknownCalls: number;
  readonly models: ModelSum;
  /** Whether it is a pipeline, whose steps have loops of their own as sub-agents do. */
  readonly hasSteps: boolean;
  /** Number of sub-agents, and of what their models took; it is part of `models`. */
  readonly subAgents: number;
  readonly subAgentModels: ModelSum;
}

/** Sums entries of a timeline. Amounts that are not known are left out. Pure. */
export function sumOf(entries: readonly RecordedEntry[]): TimelineSum {
  const tools = entries.filter((entry) => entry.kind === 'tool_call');
  const models = entries.filter((entry) => entry.kind === 'model_call');
  const scopes = new Set(entries.map(({ scope }) => scope).filter((scope) => scope !== ''));
  return {
    toolCalls: tools.filter(({ status }) => status !== 'requested').length,
    failedCalls: tools.filter(({ status }) => status === 'failed').length,
    unknownCalls: tools.filter(({ status }) => status === 'outcome_unknown').length,
    models: sumOfModels(models),
    hasSteps: tools.some(({ step }) => step !== null),
    subAgents: scopes.size,
    subAgentModels: sumOfModels(models.filter(({ scope }) => scope !== '')),
  };
}

type ModelCall = Extract<RecordedEntry, { kind: 'model_call' }>;

function sumOfModels(calls: readonly ModelCall[]): ModelSum {
  return {
    calls: calls.length,
    inputTokens: sumOfKnown(calls.map(({ input_tokens }) => input_tokens)),
    outputTokens: sumOfKnown(calls.map(({ output_tokens }) => output_tokens)),
    cost: sumOfKnown(calls.map(({ cost_usd }) => (cost_usd === null ? null : Number(cost_usd)))),
  };
}

function sumOfKnown(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}
