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
export type { Database, TransactionOptions } from './domain/database.js';
export {
  defineDomain,
  defineStagedChange,
  isDomain,
  type Asker,
  type DataSchemas,
  type Domain,
  type DomainOptions,
  type ErrorDescription,
  type LookUp,
  type MessageData,
  type SettlingExecution,
  type StagedChange,
} from './domain/domain.js';
export { isRefusal, Refusal, type RefusalKind, type RefusalOptions } from './domain/refusal.js';
export {
  defineList,
  defineRoute,
  type List,
  type ListRequest,
  type NamedSchema,
  type OperationFacts,
  type Route,
  type RouteAnswer,
  type RouteDependencies,
  type RouteRequest,
} from './domain/route.js';
export type { DomainSecrets, SecretName } from './domain/secrets.js';
export {
  defineTask,
  type Task,
  type TaskDependencies,
  type TaskOrders,
  type TaskOutcome,
  type TaskPace,
  type TaskRecord,
  type TaskTry,
} from './domain/task.js';
export { wasNeverSent } from './fetch-errors.js';
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
