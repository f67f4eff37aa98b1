import type { LoopRules } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import { asText, readPipeline, readScopeLimits, type LlmStep, type Pipeline } from '#libs/policy';
import { parseToolArguments, type CallVerdict } from '#libs/tooling';
import type { StoredAgent } from '../ports/stored-context.js';
import { unusableOptions } from '../run/plan-parameters.js';

/** Whose pipeline it is, and what its steps may refer to. */
export interface PipelineParts {
  readonly agent: Pick<StoredAgent, 'config' | 'agentVersion'>;
  readonly agentId: number;
  /** `input` and `additional_data` of what is asked. */
  readonly given: JsonObject;
}

/** The pipeline of an agent. Throws an `AppError` where it cannot be used: it was written by another release. */
export function requirePipeline(config: JsonObject): Pipeline {
  const read = readPipeline(config);
  if (read.kind === 'read') return read.pipeline;
  throw unusableOptions(read.faults.map(({ path, message }) => `${path.join('.')}: ${message}`));
}

/** The rules of a loop whose rounds are the steps of its agent's pipeline. Pure. */
export function asPipeline(rules: LoopRules, { agent, agentId, given }: PipelineParts): LoopRules {
  const { steps } = requirePipeline(agent.config);
  const inside = new Map(steps.flatMap((step) => (step.kind === 'llm' ? [[step.name, step] as const] : [])));
  return {
    ...rules,
    pipeline: { steps, given },
    // Its steps are counted when it is written.
    maximumIterations: Number.MAX_SAFE_INTEGER,
    judge: (call) => {
      const step = inside.get(call.toolName);
      if (step === undefined) return rules.judge(call);
      return runsStep(step, call.arguments, { agentId, agentVersion: agent.agentVersion });
    },
  };
}

/** A loop goes on from its facts, so a call of one may be repeated. */
function runsStep(
  step: LlmStep,
  written: string,
  { agentId, agentVersion }: { readonly agentId: number; readonly agentVersion: number },
): CallVerdict {
  const { name, limits } = step;
  const parsed = parseToolArguments(written);
  const prompt = asText(parsed.success ? parsed.data['prompt'] : undefined);
  const opens = {
    agentId,
    name,
    input: prompt,
    step: { name, agentVersion },
    ...readScopeLimits(limits ?? {}),
  };
  return { kind: 'run', effect: 'idempotent', input: { prompt }, opens };
}
