import { AppError } from '#libs/kernel';
import { readScopeLimits } from '#libs/policy';
import {
  ToolCatalogue,
  ToolSource,
  type OpenedScope,
  type ToolDefinition,
  type ToolSourceContext,
} from '#libs/tooling';
import { compileForeignSchema } from '../json-schema/compile-foreign-schema.js';
import { agentToolsSchema, type AgentTool } from './agent-tools.schema.js';

/** Tools for the agents in `tools.agents`, each for one agent or a choice of several. */
export class AgentTools extends ToolSource {
  override load({ agentTools }: Pick<ToolSourceContext, 'agentTools'>): Promise<ToolCatalogue> {
    return Promise.resolve().then(() => {
      const read = agentToolsSchema.safeParse(agentTools['agents']);
      if (!read.success) throw unusable(read.error.issues.map(({ message }) => message));
      return new ToolCatalogue(read.data.map(toDefinition), compileForeignSchema);
    });
  }
}

/** Agent calls run as loops with their own limits; `run` is never called. */
const UNUSED_TIMEOUT_MS = 1;

const PROMPT = {
  type: 'string',
  description: 'Everything that the agent has to know: it sees nothing of this conversation.',
};

function toDefinition(tool: AgentTool): ToolDefinition {
  const { name, effect } = tool;
  const common = { name, label: name, effect, timeoutMs: UNUSED_TIMEOUT_MS, run: neverRun };
  if (!('agents' in tool)) {
    const opens = (input: unknown): OpenedScope => ({
      agentId: tool.agent,
      name,
      input: textOf(input, 'prompt'),
      ...readScopeLimits(tool.limits),
    });
    return {
      ...common,
      description: tool.description,
      inputSchema: strictObject({ prompt: PROMPT }),
      opens,
      agents: [tool.agent],
    };
  }
  const byName = new Map(tool.agents.map((choice) => [choice.name, choice]));
  const list = tool.agents.map((choice) => `- ${choice.name}: ${choice.description}`).join('\n');
  return {
    ...common,
    description: `${tool.description}\n\nAgents:\n${list}`,
    inputSchema: strictObject({
      subagent_type: { type: 'string', enum: [...byName.keys()] },
      prompt: PROMPT,
    }),
    agents: tool.agents.map(({ agent }) => agent),
    opens: (input) => {
      const name = textOf(input, 'subagent_type');
      const choice = byName.get(name);
      const limits = choice ? readScopeLimits(choice.limits) : {};
      return { agentId: choice?.agent ?? 0, name, input: textOf(input, 'prompt'), ...limits };
    },
  };
}

function strictObject(properties: Record<string, object>) {
  return {
    type: 'object',
    properties: properties as never,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** The input schema requires this field as text. */
function textOf(input: unknown, field: string): string {
  return String((input as Readonly<Record<string, unknown>>)[field]);
}

function neverRun(): Promise<never> {
  return Promise.reject(new Error('an agent is run as a scope of its execution'));
}

function unusable(faults: readonly string[]): AppError {
  return new AppError({
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
    message: `the tools of the agent are not usable: agents: ${faults.join('; ')}`,
  });
}
