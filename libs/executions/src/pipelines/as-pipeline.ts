import type { LoopRules } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import {
  asText,
  readPipeline,
  readScopeLimits,
  type AgentStep,
  type LlmStep,
  type Pipeline,
  type PipelineStep,
} from '#libs/policy';
import { parseToolArguments, type CallVerdict, type ParsedArguments } from '#libs/tooling';
import type { StoredAgent } from '../ports/stored-context.js';
import { unusableOptions } from '../plan/plan-parameters.js';

/** Whose pipeline it is, and what its steps may refer to. */
interface PipelineParts {
  readonly agent: Pick<StoredAgent, 'config' | 'agentVersion'>;
  readonly agentId: number;
  /** `input` and `additional_data` of what is asked, as models read them. */
  readonly given: JsonObject;
  /** The same with what is hidden from models. */
  readonly givenToTools: JsonObject;
}

/** The pipeline of an agent. Throws an `AppError` where it cannot be used: it was written by another release. */
export function requirePipeline(config: JsonObject): Pipeline {
  const read = readPipeline(config);
  if (read.kind === 'read') return read.pipeline;
  throw unusableOptions(read.faults.map(({ path, message }) => `${path.join('.')}: ${message}`));
}

/** The rules of a loop whose rounds are the steps of its agent's pipeline. Pure. */
export function asPipeline(
  rules: LoopRules,
  { agent, agentId, given, givenToTools }: PipelineParts,
): LoopRules {
  const pipeline = requirePipeline(agent.config);
  const inside = new Map(pipeline.steps.flatMap(loopOf));
  return {
    ...rules,
    pipeline: { ...pipeline, given, givenToTools },
    // Its steps are counted when it is written.
    maximumIterations: Number.MAX_SAFE_INTEGER,
    judge: (call, parsed) => {
      const step = inside.get(call.toolName);
      if (step === undefined) return rules.judge(call, parsed);
      return runsLoop(call.toolName, step, parsed ?? parseToolArguments(call.arguments), {
        agentId,
        agentVersion: agent.agentVersion,
      });
    },
  };
}

/** What a step, or what is done for each item of a list, runs as a loop. */
type LoopStep =
  | Pick<LlmStep, 'kind' | 'limits' | 'output_schema'>
  | Pick<AgentStep, 'kind' | 'agent' | 'limits' | 'output_schema'>;

function loopOf(step: PipelineStep): (readonly [string, LoopStep])[] {
  const doing = step.kind === 'map' ? step.do : step;
  return doing.kind === 'llm' || doing.kind === 'agent' ? [[step.name, doing]] : [];
}

/** A loop goes on from its facts, so a call of one may be repeated. */
function runsLoop(
  name: string,
  step: LoopStep,
  parsed: ParsedArguments,
  own: { readonly agentId: number; readonly agentVersion: number },
): CallVerdict {
  const { limits = {}, output_schema: outputSchema } = step;
  const prompt = asText(parsed.success ? parsed.data['prompt'] : undefined);
  const opens = {
    ...(step.kind === 'agent'
      ? { agentId: step.agent }
      : { agentId: own.agentId, step: { name, agentVersion: own.agentVersion } }),
    name,
    input: prompt,
    ...(outputSchema !== undefined && { outputSchema }),
    ...readScopeLimits(limits),
  };
  return { kind: 'run', effect: 'idempotent', input: { prompt }, opens };
}
