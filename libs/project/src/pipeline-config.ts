import type { AgentAction, AnyTool, LlmAction, Pipeline, PipelineStep, ToolAction } from '#libs/kit';
import type { JsonObject } from '#libs/kernel';
import { readPipeline } from '#libs/policy';
import { toAnswerSchema } from '#libs/tooling';

type Action = LlmAction | ToolAction | AgentAction;

/** Finds the id of an agent by its name. */
export type FindAgentId = (agent: string) => number;

/**
 * Configuration of the agent that runs the pipeline. Pure.
 * @throws {AppError} if an `output` cannot be written as JSON Schema
 */
export function toPipelineConfig(pipeline: Pipeline, idOf: FindAgentId): JsonObject {
  const { steps, output_format, validation_rules } = pipeline;
  const config = { steps: steps.map((step) => toStep(step, idOf)), output_format, validation_rules };
  // Removes what is undefined, as the database would.
  return JSON.parse(JSON.stringify(config)) as JsonObject;
}

/** Why the steps are not usable, at their first fault; null if they are. */
export function findStepFault(pipeline: Pipeline): string | null {
  if (!Array.isArray(pipeline.steps)) return '`steps` must be a list';
  // Ids are known once the agents are stored; any one is valid here.
  const read = readPipeline(toPipelineConfig(pipeline, () => 1));
  if (read.kind === 'read') return null;
  const [fault] = read.faults;
  return fault === undefined ? null : `${fault.path.map(String).join('.')}: ${fault.message}`;
}

/** All tools of the pipeline and of its steps, each once. */
export function toolsOfPipeline({ tools = [], steps }: Pipeline): readonly AnyTool[] {
  return [...new Set([...tools, ...actionsOf(steps).flatMap(toolsOfAction)])];
}

/** Agents and pipelines that the steps call, each once. */
export function calledBy({ steps }: Pipeline): readonly AgentAction['agent'][] {
  return [...new Set(actionsOf(steps).flatMap((action) => (action.kind === 'agent' ? [action.agent] : [])))];
}

function actionsOf(steps: readonly PipelineStep[]): readonly Action[] {
  return steps.flatMap((step) => {
    if (step.kind === 'branch') return [];
    return [step.kind === 'map' ? step.do : step];
  });
}

function toolsOfAction(action: Action): readonly AnyTool[] {
  if (action.kind === 'tool') return [action.tool];
  return action.kind === 'llm' ? (action.tools ?? []) : [];
}

function toStep(step: PipelineStep, idOf: FindAgentId): object {
  if (step.kind === 'branch') return step;
  return step.kind === 'map' ? { ...step, do: toAction(step.do, idOf) } : toAction(step, idOf);
}

function toAction(action: Action, idOf: FindAgentId): object {
  if (action.kind === 'tool') return { ...action, tool: action.tool.name };
  const { output, ...rest } = action;
  const schema = output === undefined ? {} : { output_schema: toAnswerSchema(output) };
  if (rest.kind === 'agent') return { ...rest, ...schema, agent: idOf(rest.agent.name) };
  return { ...rest, ...schema, tools: rest.tools?.map(({ name }) => name) };
}
