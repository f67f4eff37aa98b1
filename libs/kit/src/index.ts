export { defineAgent, isAgent, type Agent, type AgentOptions } from './agent.js';
export type {
  AgentTesting,
  AgentTestOptions,
  CrashedCall,
  CrashReport,
  ScriptedAnswer,
  ScriptedCall,
  TestedCall,
  TestedOutcome,
  TestedRun,
  ToolReport,
} from './agent-test.js';
export {
  definePipeline,
  isPipeline,
  type AgentAction,
  type BranchStep,
  type LlmAction,
  type MapStep,
  type Pipeline,
  type PipelineOptions,
  type PipelineStep,
  type StepCondition,
  type StepLimits,
  type ToolAction,
} from './pipeline.js';
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
