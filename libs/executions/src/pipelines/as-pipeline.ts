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

/** Agent that owns the pipeline, and the values that its steps may refer to. */
interface PipelineParts {
  readonly agent: Pick<StoredAgent, 'config' | 'agentVersion'>;
  readonly agentId: number;
  /** `input` and `additional_data` of the request, as models read them. */
  readonly given: JsonObject;
  /** The same values including fields hidden from models. */
  readonly givenToTools: JsonObject;
}

/** Reads the pipeline of an agent. Throws an `AppError` when it is invalid, e.g. written by another release. */
export function requirePipeline(config: JsonObject): Pipeline {
  const read = readPipeline(config);
  if (read.kind === 'read') return read.pipeline;
  throw unusableOptions(read.faults.map(({ path, message }) => `${path.join('.')}: ${message}`));
}

/** Rules of a loop with the steps of its agent's pipeline as rounds. Pure. */
export function asPipeline(
  rules: LoopRules,
  { agent, agentId, given, givenToTools }: PipelineParts,
): LoopRules {
  const pipeline = requirePipeline(agent.config);
  const inside = new Map(pipeline.steps.flatMap(loopOf));
  return {
    ...rules,
    pipeline: { ...pipeline, given, givenToTools },
    // No iteration limit: the number of steps is validated when the pipeline is saved.
    maximumIterations: Number.MAX_SAFE_INTEGER,
    evaluate: (call, parsed) => {
      const step = inside.get(call.toolName);
      if (step === undefined) return rules.evaluate(call, parsed);
      return runsLoop(call.toolName, step, parsed ?? parseToolArguments(call.arguments), {
        agentId,
        agentVersion: agent.agentVersion,
      });
    },
  };
}

/** Step, or action per list item, that runs as a loop. */
type LoopStep =
  | Pick<LlmStep, 'kind' | 'limits' | 'output_schema'>
  | Pick<AgentStep, 'kind' | 'agent' | 'limits' | 'output_schema'>;

function loopOf(step: PipelineStep): (readonly [string, LoopStep])[] {
  const doing = step.kind === 'map' ? step.do : step;
  return doing.kind === 'llm' || doing.kind === 'agent' ? [[step.name, doing]] : [];
}

/** An inner loop resumes from its facts, so its call is repeatable. */
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
