import type { Agent, AnyTool } from '#libs/kit';
import { defineDomain, findConfusable, type Domain, type DomainAgent } from '#libs/tooling';
import type { ProjectPart, ProjectProblem } from './project-part.js';
import { toToolDefinition } from './tool-definition.js';

/** Domain of a project's parts, without those that are not usable. */
export interface ProjectDomain {
  readonly domain: Domain;
  readonly problems: readonly ProjectProblem[];
}

/** Assembles a project. A part that is not usable costs itself and the agents that name it, and nothing else. */
export function toProjectDomain(parts: readonly ProjectPart[]): ProjectDomain {
  const tools = selectTools(parts);
  const agents = selectAgents(parts, new Set(tools.usable));
  const domain = defineDomain({
    name: 'project',
    tools: ({ running }) => tools.usable.map((tool) => toToolDefinition(tool, running?.fetchFor)),
    agents: agents.usable,
  });
  return { domain, problems: [...tools.problems, ...agents.problems] };
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

function selectAgents(parts: readonly ProjectPart[], tools: ReadonlySet<AnyTool>): Selection<DomainAgent> {
  const usable: DomainAgent[] = [];
  const problems: ProjectProblem[] = [];
  for (const { file, agents } of parts) {
    for (const agent of agents) {
      const reason = nameFault('agent', agent.name, usable) ?? missingTools(agent, tools);
      if (reason === null) usable.push(toDomainAgent(agent));
      else problems.push({ place: file, reason });
    }
  }
  return { usable, problems };
}

function nameFault(
  what: 'tool' | 'agent',
  name: string,
  earlier: readonly { readonly name: string }[],
): string | null {
  const names = earlier.map((each) => each.name);
  if (names.includes(name)) return `another ${what} is named "${name}", too`;
  const confusable = findConfusable([...names, name]);
  return confusable === null ? null : `the ${what} "${name}" reads like the ${what} "${confusable.like}"`;
}

function missingTools({ name, tools = [] }: Agent, usable: ReadonlySet<AnyTool>): string | null {
  const missing = tools.filter((tool) => !usable.has(tool)).map((tool) => `"${tool.name}"`);
  if (missing.length === 0) return null;
  return `the agent "${name}" has tools that are not loaded: ${missing.join(', ')}; a tool is exported from a file below tools/`;
}

function toDomainAgent({ name, instruction, tools = [] }: Agent): DomainAgent {
  return {
    name,
    usecaseType: 'BASIC_CHAT',
    systemPrompt: instruction,
    tools: tools.map((tool) => tool.name),
  };
}
