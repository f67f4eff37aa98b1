import type { Agent, AnyTool, Pipeline } from '#libs/kit';
import type { DomainAgent } from '#libs/tooling';
import { missingToolsFault, modelFault, nameFault } from './part-faults.js';
import { calledBy, findStepFault, toolsOfPipeline, toPipelineConfig } from './pipeline-config.js';
import type { ProjectPart, ProjectProblem } from './project-part.js';

/** Parts that a pipeline may name. */
interface Surroundings {
  readonly tools: ReadonlySet<AnyTool>;
  readonly agents: readonly Agent[];
}

interface SelectedPipelines {
  /** Each one behind those that it calls. */
  readonly usable: readonly DomainAgent[];
  readonly problems: readonly ProjectProblem[];
}

/** Selects the usable pipelines. A pipeline that is not usable costs itself and the pipelines that call it. */
export function selectPipelines(
  parts: readonly ProjectPart[],
  { tools, agents }: Surroundings,
): SelectedPipelines {
  const exported = parts.flatMap(({ file, pipelines }) => pipelines.map((pipeline) => ({ file, pipeline })));
  const usable = new Map<Agent | Pipeline, DomainAgent | null>(agents.map((agent) => [agent, null]));
  const problems: ProjectProblem[] = [];
  for (const { file, pipeline } of inOrderOfCalls(exported)) {
    const reason =
      nameFault('pipeline', pipeline.name, [...usable.keys()]) ??
      modelFault('pipeline', pipeline) ??
      stepFault(pipeline) ??
      missingToolsFault('pipeline', pipeline.name, toolsOfPipeline(pipeline), tools) ??
      missingAgentsFault(pipeline, usable);
    if (reason === null) usable.set(pipeline, toDomainAgent(pipeline));
    else problems.push({ place: file, reason });
  }
  return { usable: [...usable.values()].filter((agent) => agent !== null), problems };
}

interface ExportedPipeline {
  readonly file: string;
  readonly pipeline: Pipeline;
}

/** A pipeline names others as values, which are therefore older than it: there are no cycles. */
function inOrderOfCalls(exported: readonly ExportedPipeline[]): readonly ExportedPipeline[] {
  const ordered = new Set<ExportedPipeline>();
  const add = (each: ExportedPipeline): void => {
    if (ordered.has(each)) return;
    const called = Array.isArray(each.pipeline.steps) ? calledBy(each.pipeline) : [];
    for (const other of exported) if (called.includes(other.pipeline)) add(other);
    ordered.add(each);
  };
  for (const each of exported) add(each);
  return [...ordered];
}

function stepFault(pipeline: Pipeline): string | null {
  try {
    const fault = findStepFault(pipeline);
    return fault === null ? null : `the pipeline "${pipeline.name}" is not usable: ${fault}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'its steps cannot be read';
    return `the pipeline "${pipeline.name}" is not usable: ${reason}`;
  }
}

function missingAgentsFault(
  pipeline: Pipeline,
  usable: ReadonlyMap<Agent | Pipeline, unknown>,
): string | null {
  const missing = calledBy(pipeline).filter((called) => !usable.has(called));
  if (missing.length === 0) return null;
  const names = missing.map(({ name }) => `"${name}"`).join(', ');
  return `the pipeline "${pipeline.name}" calls agents that are not loaded: ${names}; they are exported from files below agents/ or pipelines/`;
}

function toDomainAgent(pipeline: Pipeline): DomainAgent {
  const { name, instruction, model } = pipeline;
  return {
    name,
    usecaseType: 'CUSTOM',
    systemPrompt: instruction,
    ...(model !== undefined && { model }),
    tools: toolsOfPipeline(pipeline).map((tool) => tool.name),
    calls: calledBy(pipeline).map((called) => called.name),
    config: (idOf) => toPipelineConfig(pipeline, idOf),
  };
}
