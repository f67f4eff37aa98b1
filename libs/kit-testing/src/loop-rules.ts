import type { AnswerRules, LoopRules } from '#libs/agent-core';
import { asPipeline } from '#libs/executions';
import { isPipeline } from '#libs/kit';
import { loopParametersSchema } from '#libs/payloads';
import { toPipelineConfig } from '#libs/project';
import { evaluateToolCall, meantCall, type ToolCatalogue } from '#libs/tooling';
import type { TestedAgents } from './tested-agents.js';

/** The loop of an agent, or of one step of a pipeline. */
export interface TestedLoop {
  readonly agentId: number;
  /** Name of the step that the loop answers; null for the agent under test. */
  readonly step: string | null;
  /** True for a step that asks the model of its own pipeline. */
  readonly isOwnStep: boolean;
  readonly input: string;
}

/** Rules of a loop with these tools. */
export function rulesOf(agents: TestedAgents, loop: TestedLoop, catalogue: ToolCatalogue): LoopRules {
  const agent = agents.of(loop.agentId);
  if (isPipeline(agent) && !loop.isOwnStep) {
    const config = toPipelineConfig(agent, agents.idOf);
    const given = { input: loop.input, additional_data: {} };
    const owner = { agent: { config, agentVersion: 1 }, agentId: loop.agentId };
    return asPipeline(plainRules(catalogue), { ...owner, given, givenToTools: given });
  }
  const output = loop.step === null ? undefined : agents.outputOf(loop.step);
  if (output === undefined) return plainRules(catalogue);
  const answer: AnswerRules = {
    findFaults: (value) =>
      (output.safeParse(value).error?.issues ?? []).map(
        ({ path, message }) => `${path.map(String).join('.')}: ${message}`,
      ),
  };
  return { ...plainRules(catalogue), answer };
}

function plainRules(catalogue: ToolCatalogue): LoopRules {
  return {
    maximumIterations: loopParametersSchema.parse({}).maximum_iterations,
    maxModelRetries: 0,
    // One after the other, so that each effect belongs to one call.
    maxParallelToolCalls: 1,
    changedTools: new Set(),
    forward: (call) => ({ ...call, ...meantCall(call, catalogue, { isSearched: false }) }),
    evaluate: (call, parsed) => evaluateToolCall(call, catalogue, parsed),
    asksAfterForeignContent: false,
    budget: { total_tokens: null, cost: null, rounds: null },
    visibleText: (text) => text,
    countTokens: ({ content }) => ({ count: content.length, tokenizer: 'characters' }),
    prices: null,
    costOf: () => null,
  };
}
