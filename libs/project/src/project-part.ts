import {
  isAgent,
  isDomain,
  isPipeline,
  isTool,
  type Agent,
  type AnyTool,
  type Domain,
  type Pipeline,
} from '#libs/kit';
import type { SqlFile } from './domains/sql-migrations.js';

/** Definitions that one file of a project exports. */
export interface ProjectPart {
  /** Path below the project's folder. */
  readonly file: string;
  readonly tools: readonly AnyTool[];
  readonly agents: readonly Agent[];
  readonly pipelines: readonly Pipeline[];
  readonly domains: readonly Domain[];
  /** Migrations beside the file of a domain, in order; empty for any other file. */
  readonly migrations: readonly SqlFile[];
}

/** Part of a project that is not loaded, and the reason. */
export interface ProjectProblem {
  /** `tools/weather.ts`, or `tools/weather.ts:12` where the line is known. */
  readonly place: string;
  readonly reason: string;
}

/** Reads the exports of a file; a value exported under two names counts once. Those of a domain count as exported. */
export function readExports(
  file: string,
  exported: Readonly<Record<string, unknown>>,
  migrations: readonly SqlFile[] = [],
): ProjectPart {
  const values = [...new Set(Object.values(exported))];
  const domains = values.filter(isDomain);
  return {
    file,
    tools: values.filter(isTool),
    agents: [...new Set([...values.filter(isAgent), ...domains.flatMap(({ agents }) => agents ?? [])])],
    pipelines: [
      ...new Set([...values.filter(isPipeline), ...domains.flatMap(({ pipelines }) => pipelines ?? [])]),
    ],
    domains,
    migrations,
  };
}

/** Null if the file exports a definition. */
export function emptyPartProblem({
  file,
  tools,
  agents,
  pipelines,
  domains,
}: ProjectPart): ProjectProblem | null {
  if (tools.length + agents.length + pipelines.length + domains.length > 0) return null;
  const reason =
    'it exports no tool (defineTool), agent (defineAgent), pipeline (definePipeline) or domain (defineDomain); ' +
    'a file for others to import begins with _';
  return { place: file, reason };
}
