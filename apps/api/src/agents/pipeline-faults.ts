import { isJsonObject, type JsonObject } from '#libs/kernel';
import {
  PIPELINE_KEYS,
  readPipeline,
  type Pipeline,
  type PipelineStep,
  type WrittenScopeLimits,
} from '#libs/policy';
import { compileForeignSchema, SEARCH_KNOWLEDGE } from '#libs/tool-sources';
import type { ToolCatalogue } from '#libs/tooling';
import { pointerTo, type FieldError } from '../http/request-errors.js';
import { explainIssue } from '../http/request-validation.js';
import { readAgentTools, SERVER_TOOL } from './tool-faults.js';

/**
 * Finds faults of the pipeline of a `CUSTOM` agent (S3-7, S3-35). Pure.
 * @param tools the tools of the agent, as they will be after the write
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
  return callsOf(read.pipeline).flatMap(({ call, place, isRepeated }) => [
    ...findToolFaults(call, place, known),
    ...(isRepeated && call.kind === 'tool' ? findRepeatFaults(call.tool, place, catalogue) : []),
    ...findSchemaFaults(call, place),
  ]);
}

/** The agents that the pipeline calls, each with the JSON pointer of its id; empty for an invalid pipeline. */
export function agentsOfPipeline(
  config: JsonObject,
): { readonly agentId: number; readonly pointer: string }[] {
  const read = readPipeline(config);
  if (read.kind === 'faults') return [];
  return callsOf(read.pipeline).flatMap(({ call, place }) =>
    call.kind === 'agent' ? [{ agentId: call.agent, pointer: pointerTo([...place, 'agent']) }] : [],
  );
}

/** The limits of the pipeline's steps, each with its path in the body; empty for an invalid pipeline. */
export function limitsOfPipeline(
  config: JsonObject,
): { readonly limits: WrittenScopeLimits; readonly place: Place }[] {
  const read = readPipeline(config);
  if (read.kind === 'faults') return [];
  return callsOf(read.pipeline).flatMap(({ call, place }) =>
    call.kind === 'tool' || call.limits === undefined
      ? []
      : [{ limits: call.limits, place: [...place, 'limits'] }],
  );
}

/** Whether a step of the pipeline reads the files attached to a request. */
export function takesAttachments(config: JsonObject): boolean {
  const read = readPipeline(config);
  return (
    read.kind === 'read' &&
    callsOf(read.pipeline).some(({ call }) => call.kind === 'llm' && call.attachments === true)
  );
}

/** A request cannot override the pipeline of its agent. */
export function findPipelineOptionFaults(options: JsonObject): FieldError[] {
  return PIPELINE_KEYS.filter((key) => key in options).map((key) => ({
    pointer: pointerTo(['options', key]),
    detail: 'belongs into the config of an agent',
  }));
}

type Place = readonly (string | number)[];
type Call = Exclude<PipelineStep, { kind: 'branch' | 'map' }> | Extract<PipelineStep, { kind: 'map' }>['do'];

/** Every model, tool or agent call of the pipeline, with its path in the body. */
function callsOf({ steps }: Pipeline): { call: Call; place: Place; isRepeated: boolean }[] {
  return steps.flatMap((step, index) => {
    const place = ['config', 'steps', index];
    if (step.kind === 'branch') return [];
    const isRepeated = (step.retry?.max_attempts ?? 1) > 1;
    return step.kind === 'map'
      ? [{ call: step.do, place: [...place, 'do'], isRepeated }]
      : [{ call: step, place, isRepeated }];
  });
}

function findToolFaults(call: Call, place: Place, known: readonly string[]): FieldError[] {
  const isKnown = (name: string): boolean => known.includes(name) || SERVER_TOOL.test(name);
  const detail = `must be a tool that the agent has: ${known.length === 0 ? 'it has none' : known.join(', ')}`;
  if (call.kind === 'agent') return [];
  if (call.kind === 'tool')
    return isKnown(call.tool) ? [] : [{ pointer: pointerTo([...place, 'tool']), detail }];
  return (call.tools ?? []).flatMap((name, index) =>
    isKnown(name) ? [] : [{ pointer: pointerTo([...place, 'tools', index]), detail }],
  );
}

/** Refuses `retry` on a tool with side effects, since the engine never repeats one. */
function findRepeatFaults(tool: string, place: Place, catalogue: ToolCatalogue): FieldError[] {
  const effect = catalogue.find(tool)?.effect ?? 'read';
  if (effect === 'read') return [];
  const pointer = pointerTo([...(place.at(-1) === 'do' ? place.slice(0, -1) : place), 'retry']);
  return [{ pointer, detail: `must be omitted: ${tool} has side effects and is never called again` }];
}

function findSchemaFaults(step: Call, place: Place): FieldError[] {
  if (step.kind === 'tool' || step.output_schema === undefined) return [];
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

/** Names that steps may call, except tools of servers, which only a run can list. */
function namesOf(tools: JsonObject): readonly string[] {
  const { builtin } = tools;
  const agents = readAgentTools(tools);
  return [
    ...(Array.isArray(builtin) ? builtin.filter((name): name is string => typeof name === 'string') : []),
    ...(agents.kind === 'read' ? agents.tools.map(({ name }) => name) : []),
    ...(isJsonObject(tools[SEARCH_KNOWLEDGE] ?? null) ? [SEARCH_KNOWLEDGE] : []),
  ];
}
