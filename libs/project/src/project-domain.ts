import type { Agent, AnyTool } from '#libs/kit';
import { defineDomain, type Domain, type DomainAgent } from '#libs/tooling';
import { missingToolsFault, modelFault, nameFault } from './part-faults.js';
import type { ProjectPart, ProjectProblem } from './project-part.js';
import { selectPipelines } from './select-pipelines.js';
import { toToolDefinition } from './tool-definition.js';

/** Domain of a project's parts, without those that are not usable. */
export interface ProjectDomain {
  readonly domain: Domain;
  readonly problems: readonly ProjectProblem[];
}

/** Assembles a project. A part that is not usable costs itself and the parts that name it, and nothing else. */
export function toProjectDomain(parts: readonly ProjectPart[]): ProjectDomain {
  const tools = selectTools(parts);
  const usableTools = new Set(tools.usable);
  const agents = selectAgents(parts, usableTools);
  const pipelines = selectPipelines(parts, { tools: usableTools, agents: agents.usable });
  const domain = defineDomain({
    name: 'project',
    tools: ({ running }) => tools.usable.map((tool) => toToolDefinition(tool, running?.fetchFor)),
    agents: [...agents.usable.map(toDomainAgent), ...pipelines.usable],
  });
  return { domain, problems: [...tools.problems, ...agents.problems, ...pipelines.problems] };
}

interface Selection<Part> {
  readonly usable: readonly Part[];
  readonly problems: readonly ProjectProblem[];
}

function selectTools(parts: readonly ProjectPart[]): Selection<AnyTool> {
  const usable: AnyTool[] = [];
  const problems: ProjectProblem[] = [];
  for (const { file, tools } of parts) {
    for (const tool of tools) {
      const reason = toolFault(tool, usable);
      if (reason === null) usable.push(tool);
      else problems.push({ place: file, reason });
    }
  }
  return { usable, problems };
}

function toolFault(tool: AnyTool, earlier: readonly AnyTool[]): string | null {
  const fault = nameFault('tool', tool.name, earlier);
  if (fault !== null) return fault;
  try {
    toToolDefinition(tool, undefined);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : `the tool "${tool.name}" is not usable`;
  }
}

function selectAgents(parts: readonly ProjectPart[], tools: ReadonlySet<AnyTool>): Selection<Agent> {
  const usable: Agent[] = [];
  const problems: ProjectProblem[] = [];
  for (const { file, agents } of parts) {
    for (const agent of agents) {
      const reason =
        nameFault('agent', agent.name, usable) ??
        modelFault('agent', agent) ??
        missingToolsFault('agent', agent.name, agent.tools ?? [], tools);
      if (reason === null) usable.push(agent);
      else problems.push({ place: file, reason });
    }
  }
  return { usable, problems };
}

function toDomainAgent({ name, instruction, model, tools = [] }: Agent): DomainAgent {
  return {
    name,
    ...(model !== undefined && { model }),
    usecaseType: 'BASIC_CHAT',
    systemPrompt: instruction,
    tools: tools.map((tool) => tool.name),
  };
}
