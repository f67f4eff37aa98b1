import { isPipeline, type Agent, type AnyTool, type Pipeline } from '#libs/kit';
import { calledBy, toolsOfPipeline } from '#libs/project';

/** The agent under test, with all agents and pipelines that its steps call; each has an id. */
export class TestedAgents {
  private readonly all: readonly (Agent | Pipeline)[];

  constructor(readonly root: Agent | Pipeline) {
    this.all = [...collect(root, new Set())];
  }

  /** Throws for the id of no agent, which no loop asks for. */
  of(id: number): Agent | Pipeline {
    const found = this.all[id - 1];
    if (found === undefined) throw new Error(`no agent has the id ${id}`);
    return found;
  }

  readonly idOf = (name: string): number => this.all.findIndex((agent) => agent.name === name) + 1;

  /** Tools of all agents, each once. */
  tools(): readonly AnyTool[] {
    return [...new Set(this.all.flatMap(toolsOfAgent))];
  }

  /** The schema of the answer of a step that calls a model or an agent; undefined without one. */
  outputOf(step: string): ReturnType<typeof outputIn> {
    return this.all.map((agent) => outputIn(agent, step)).find((output) => output !== undefined);
  }
}

/** All tools that an agent may call, or a pipeline and its steps. */
export function toolsOfAgent(agent: Agent | Pipeline): readonly AnyTool[] {
  return isPipeline(agent) ? toolsOfPipeline(agent) : (agent.tools ?? []);
}

function collect(agent: Agent | Pipeline, found: Set<Agent | Pipeline>): ReadonlySet<Agent | Pipeline> {
  if (found.has(agent)) return found;
  found.add(agent);
  if (isPipeline(agent)) for (const called of calledBy(agent)) collect(called, found);
  return found;
}

function outputIn(agent: Agent | Pipeline, name: string) {
  if (!isPipeline(agent)) return undefined;
  const step = agent.steps.find((one) => one.name === name);
  const action = step?.kind === 'map' ? step.do : step;
  return action?.kind === 'llm' || action?.kind === 'agent' ? action.output : undefined;
}
