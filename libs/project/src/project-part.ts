import { isAgent, isTool, type Agent, type AnyTool } from '#libs/kit';

/** Tools and agents that one file of a project exports. */
export interface ProjectPart {
  /** Path below the project's folder. */
  readonly file: string;
  readonly tools: readonly AnyTool[];
  readonly agents: readonly Agent[];
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
  return { file, tools: values.filter(isTool), agents: values.filter(isAgent) };
}

/** Null if the file exports a tool or an agent. */
export function emptyPartProblem({ file, tools, agents }: ProjectPart): ProjectProblem | null {
  if (tools.length > 0 || agents.length > 0) return null;
  const reason =
    'it exports neither a tool (defineTool) nor an agent (defineAgent); a file for others to import begins with _';
  return { place: file, reason };
}
