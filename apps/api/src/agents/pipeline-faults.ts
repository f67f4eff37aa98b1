import { isJsonObject, type JsonObject } from '#libs/kernel';
import { PIPELINE_KEYS, readPipeline, type PipelineStep } from '#libs/policy';
import { compileForeignSchema, SEARCH_KNOWLEDGE } from '#libs/tool-sources';
import type { ToolCatalogue } from '#libs/tooling';
import { pointerTo, type FieldError } from '../http/request-errors.js';
import { explainIssue } from '../http/request-validation.js';
import { readAgentTools, SERVER_TOOL } from './tool-faults.js';

/**
 * What is wrong with the pipeline of an agent of the type `CUSTOM` (S3-7, S3-35). Pure.
 *
 * @param tools those that the agent will have
 */
export function findPipelineFaults(
  config: JsonObject,
  tools: JsonObject,
  catalogue: ToolCatalogue,
): FieldError[] {
  const read = readPipeline(config, explainIssue);
  if (read.kind === 'faults')
    return read.faults.map(({ path, message }) => ({
      pointer: pointerTo(['config', ...path]),
      detail: message,
    }));
  const known = namesOf(tools);
  return read.pipeline.steps.flatMap((step, index) => [
    ...findToolFaults(step, ['config', 'steps', index], known, catalogue),
    ...findSchemaFaults(step, ['config', 'steps', index]),
  ]);
}

/** A pipeline belongs to its agent: no request may say otherwise. */
export function findPipelineOptionFaults(options: JsonObject): FieldError[] {
  return PIPELINE_KEYS.filter((key) => key in options).map((key) => ({
    pointer: pointerTo(['options', key]),
    detail: 'belongs into the config of an agent',
  }));
}

type Place = readonly (string | number)[];

function findToolFaults(
  step: PipelineStep,
  place: Place,
  known: readonly string[],
  catalogue: ToolCatalogue,
): FieldError[] {
  const isKnown = (name: string): boolean => known.includes(name) || SERVER_TOOL.test(name);
  const detail = `must be a tool that the agent has: ${known.length === 0 ? 'it has none' : known.join(', ')}`;
  if (step.kind === 'llm')
    return (step.tools ?? []).flatMap((name, index) =>
      isKnown(name) ? [] : [{ pointer: pointerTo([...place, 'tools', index]), detail }],
    );
  const isRepeated = (step.retry?.max_attempts ?? 1) > 1 && catalogue.find(step.tool)?.effect === 'unsafe';
  return [
    ...(isKnown(step.tool) ? [] : [{ pointer: pointerTo([...place, 'tool']), detail }]),
    ...(isRepeated
      ? [
          {
            pointer: pointerTo([...place, 'retry']),
            detail: 'must be left out: the tool is unsafe to repeat',
          },
        ]
      : []),
  ];
}

function findSchemaFaults(step: PipelineStep, place: Place): FieldError[] {
  if (step.kind !== 'llm' || step.output_schema === undefined) return [];
  const pointer = pointerTo([...place, 'output_schema']);
  if (step.output_schema['type'] !== 'object') return [{ pointer, detail: 'must be of "type": "object"' }];
  try {
    compileForeignSchema(step.output_schema);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return [{ pointer, detail: `must be a JSON Schema that can be checked: ${reason}` }];
  }
}

/** What models and steps of the agent may call; what a server offers only a run knows. */
function namesOf(tools: JsonObject): readonly string[] {
  const { builtin } = tools;
  const agents = readAgentTools(tools);
  return [
    ...(Array.isArray(builtin) ? builtin.filter((name): name is string => typeof name === 'string') : []),
    ...(agents.kind === 'read' ? agents.tools.map(({ name }) => name) : []),
    ...(isJsonObject(tools[SEARCH_KNOWLEDGE] ?? null) ? [SEARCH_KNOWLEDGE] : []),
  ];
}
