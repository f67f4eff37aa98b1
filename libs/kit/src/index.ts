export { defineAgent, isAgent, type Agent, type AgentOptions } from './agent.js';
export {
  defineTool,
  isTool,
  type AnyTool,
  type Approval,
  type OnUnknown,
  type Tool,
  type ToolEffect,
  type ToolOptions,
} from './tool.js';
export type { Executor, Progress, ToolContext } from './tool-context.js';
export { errorKindOf, ToolFailure, ToolNotBegun, ToolOutcomeUnknown } from './tool-errors.js';
