import type { AnswerRules, Preparation } from '#libs/agent-core';
import { isJsonObject, type JsonObject } from '#libs/kernel';
import { withoutPipeline, type LlmStep } from '#libs/policy';
import { isStrictSchema, type CompileReader, type ToolCatalogue } from '#libs/tooling';
import type { StoredAgent } from '../ports/stored-context.js';
import { assertThere } from '../run/plan-parameters.js';
import { requirePipeline } from './as-pipeline.js';

/** The step of this name. Throws an `AppError` where the pipeline has none. */
export function stepOf({ config }: Pick<StoredAgent, 'config'>, name: string): LlmStep {
  const step = requirePipeline(config).steps.find((one) => one.name === name);
  if (step?.kind === 'llm') return step;
  throw new Error(`the pipeline has no step ${name} that asks a model`);
}

/**
 * The agent of a pipeline as the one that does a step of it. What the pipeline has begun with holds: its model is asked the
 * same way, whatever became of agent, model configuration and tenant meanwhile.
 *
 * @param caller what the pipeline was prepared with
 */
export function asStepAgent(stored: StoredAgent, step: LlmStep, caller: Preparation | null): StoredAgent {
  const { output_schema: schema } = step;
  return {
    ...stored,
    agentIsActive: true,
    tenant: stored.tenant && { ...stored.tenant, isActive: true },
    usecaseType: 'BASIC_CHAT',
    config: { ...withoutPipeline(stored.config), ...(schema !== undefined && formatOf(step.name, schema)) },
    llm: {
      ...stored.llm,
      isActive: true,
      ...(caller !== null && { model: caller.model, extra: caller.extra }),
    },
  };
}

/** Of the tools of the agent, those of the step. Throws an `AppError` where one has vanished. */
export function toolsOfStep({ tools }: LlmStep, catalogue: ToolCatalogue): ToolCatalogue {
  if (tools === undefined) return catalogue;
  assertThere(tools, catalogue);
  return catalogue.pick(tools);
}

/** What the answer of a step has to be; anything where it has no schema. */
export function answerRulesOf(
  { output_schema: schema }: LlmStep,
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

/** The provider holds its model to the schema as far as it can. */
function formatOf(name: string, schema: JsonObject): JsonObject {
  return { response_format: 'json_schema', json_schema: { name, schema, strict: isStrictSchema(schema) } };
}
