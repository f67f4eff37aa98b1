import type { Agent, AnyTool } from '#libs/kit';
import { defineDomain, type Domain, type DomainAgent } from '#libs/tooling';
import type { Manager } from './domains/manager-database.js';
import { selectDomains } from './domains/select-domains.js';
import { toToolFacilities } from './domains/tool-facilities.js';
import { missingToolsFault, modelFault, nameFault } from './part-faults.js';
import type { ProjectPart, ProjectProblem } from './project-part.js';
import { selectPipelines } from './select-pipelines.js';
import { toToolDefinition } from './tool-definition.js';

/** Domains of a project's parts, without those that are not usable. */
export interface ProjectDomains {
  readonly domains: readonly Domain<Manager>[];
  readonly problems: readonly ProjectProblem[];
}

/**
 * Assembles a project: its own domains, and one of all its other parts. A part that is not usable costs itself and the parts
 * that name it, and nothing else.
 * @param name domain of all parts that belong to no domain of the project
 */
export function toProjectDomains(parts: readonly ProjectPart[], name = 'project'): ProjectDomains {
  const own = selectDomains(parts);
  const tools = selectTools(parts, own.tools);
  const usableTools = new Set([...own.tools, ...tools.usable]);
  const agents = selectAgents(parts, usableTools);
  const pipelines = selectPipelines(parts, { tools: usableTools, agents: agents.usable });
  const rest = defineDomain<Manager>({
    name,
    tools: (dependencies) => {
      const facilities = toToolFacilities(dependencies);
      return tools.usable.map((tool) => toToolDefinition(tool, facilities));
    },
    agents: [...agents.usable.map(toDomainAgent), ...pipelines.usable],
  });
  return {
    domains: [...own.usable, rest],
    problems: [own, tools, agents, pipelines].flatMap(({ problems }) => problems),
  };
}

interface Selection<Part> {
  readonly usable: readonly Part[];
  readonly problems: readonly ProjectProblem[];
}

/** Selects the usable tools that belong to no domain. */
function selectTools(parts: readonly ProjectPart[], ofDomains: readonly AnyTool[]): Selection<AnyTool> {
  const usable: AnyTool[] = [];
  const problems: ProjectProblem[] = [];
  for (const { file, tools } of parts) {
    for (const tool of tools) {
      if (ofDomains.includes(tool)) continue;
      const reason = toolFault(tool, [...ofDomains, ...usable]);
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
