import type { AnswerRules, Preparation, ScopeRequest } from '#libs/agent-core';
import { isJsonObject } from '#libs/kernel';
import { withoutPipeline, type LlmStep } from '#libs/policy';
import { isStrictSchema, type CompileReader, type ToolCatalogue } from '#libs/tooling';
import type { StoredAgent } from '../ports/stored-context.js';
import { assertThere } from '../plan/plan-parameters.js';
import { requirePipeline } from './as-pipeline.js';

/** The fields of a step that shape its model's loop. */
type StepLoop = Pick<LlmStep, 'tools' | 'attachments'>;

/** Finds the step with this name. Throws if the pipeline has no such step that asks a model. */
export function stepOf({ config }: Pick<StoredAgent, 'config'>, name: string): StepLoop {
  const step = requirePipeline(config).steps.find((one) => one.name === name);
  const doing = step?.kind === 'map' ? step.do : step;
  if (doing?.kind === 'llm') return doing;
  throw new Error(`the pipeline has no step ${name} that asks a model`);
}

/**
 * The agent of a pipeline in the role of one of its steps. The prepared configuration stays valid: the model is asked the
 * same way even if agent, model configuration or tenant changed since.
 * @param caller preparation of the pipeline
 */
export function asStepAgent(stored: StoredAgent, caller: Preparation | null): StoredAgent {
  return {
    ...stored,
    agentIsActive: true,
    tenant: stored.tenant && { ...stored.tenant, isActive: true },
    usecaseType: 'BASIC_CHAT',
    config: withoutPipeline(stored.config),
    llm: {
      ...stored.llm,
      isActive: true,
      ...(caller !== null && { model: caller.model, extra: caller.extra }),
    },
  };
}

/** The agent with the output schema as response format; the provider enforces it as far as it can. */
export function answering(
  stored: StoredAgent,
  { name, outputSchema: schema }: Pick<ScopeRequest, 'name' | 'outputSchema'>,
): StoredAgent {
  if (schema === undefined) return stored;
  const json_schema = { name, schema, strict: isStrictSchema(schema) };
  return { ...stored, config: { ...stored.config, response_format: 'json_schema', json_schema } };
}

/** Restricts the agent's tools to those of the step. Throws an `AppError` if one no longer exists. */
export function toolsOfStep({ tools }: StepLoop, catalogue: ToolCatalogue): ToolCatalogue {
  if (tools === undefined) return catalogue;
  assertThere(tools, catalogue);
  return catalogue.pick(tools);
}

/** Rules for the answer of a loop; none without a schema. */
export function answerRulesOf(
  { outputSchema: schema }: Pick<ScopeRequest, 'outputSchema'>,
  compile: CompileReader,
): { readonly answer?: AnswerRules } {
  if (schema === undefined) return {};
  const read = compile(schema);
  return {
    answer: {
      findFaults: (answer) => {
        if (!isJsonObject(answer)) return ['must be an object'];
        const reading = read(answer);
        return reading.success ? [] : reading.reasons;
      },
    },
  };
}
