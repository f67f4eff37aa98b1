import { isAgent, isPipeline, isTool, type Agent, type AnyTool, type Pipeline } from '#libs/kit';

/** Definitions that one file of a project exports. */
export interface ProjectPart {
  /** Path below the project's folder. */
  readonly file: string;
  readonly tools: readonly AnyTool[];
  readonly agents: readonly Agent[];
  readonly pipelines: readonly Pipeline[];
}

/** Part of a project that is not loaded, and the reason. */
export interface ProjectProblem {
  /** `tools/weather.ts`, or `tools/weather.ts:12` where the line is known. */
  readonly place: string;
  readonly reason: string;
}

/** Reads the exports of a file; a value exported under two names counts once. */
export function readExports(file: string, exported: Readonly<Record<string, unknown>>): ProjectPart {
  const values = [...new Set(Object.values(exported))];
  return {
    file,
    tools: values.filter(isTool),
    agents: values.filter(isAgent),
    pipelines: values.filter(isPipeline),
  };
}

/** Null if the file exports a definition. */
export function emptyPartProblem({ file, tools, agents, pipelines }: ProjectPart): ProjectProblem | null {
  if (tools.length + agents.length + pipelines.length > 0) return null;
  const reason =
    'it exports no tool (defineTool), agent (defineAgent) or pipeline (definePipeline); a file for others to import begins with _';
  return { place: file, reason };
}
