import type { AnyTool } from './tool.js';

export interface AgentOptions {
  /** Name, unique in the project; the agent is created or updated by it. */
  readonly name: string;
  /** Instruction that the model reads before each conversation. */
  readonly instruction: string;
  /**
   * Name of a model configuration of the tenant, or a model or short name of `GET /api/models/`, from which a configuration
   * of that name is made; default: the configuration `default`.
   */
  readonly model?: string;
  /** Tools of the project that the agent may call; default none. */
  readonly tools?: readonly AnyTool[];
}

const KIND = 'capstan/agent';

/** An agent of a project; create it by {@link defineAgent}. */
export interface Agent extends AgentOptions {
  readonly kind: typeof KIND;
}

/** Defines an agent. Export it from a file of the project's `agents` folder. */
export function defineAgent(options: AgentOptions): Agent {
  return { ...options, kind: KIND };
}

/** True if the value was made by {@link defineAgent}, of this copy of the kit or another one. */
export function isAgent(value: unknown): value is Agent {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === KIND;
}
