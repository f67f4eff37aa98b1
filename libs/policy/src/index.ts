export {
  checkAdmission,
  limitsToCount,
  pauseOf,
  type AdmissionLimits,
  type AdmissionVerdict,
  type Backlog,
  type CountedLimits,
} from './check-admission.js';
export {
  budgetSchema,
  checkBudget,
  tightenBudget,
  type Budget,
  type BudgetVerdict,
  type Spending,
} from './check-budget.js';
export {
  MAX_MEMORIES,
  memorySettingsSchema,
  readMemorySettings,
  type MemorySettings,
} from './memory-settings.js';
export { fitMemories, type KnownMemory } from './prompt-layers/memory.layer.js';
export {
  chooseBatch,
  chooseKept,
  chooseWindow,
  type CountedMessage,
  historyBudget,
  type HistorySize,
  type HistoryWindow,
  isOutgrown,
} from './history/choose-window.js';
export {
  readTenantSettings,
  tenantSettingsSchema,
  type TenantSettings,
  withServersOfTenant,
} from './tenant-settings.js';
export {
  composePrompt,
  type ComposedLayer,
  type ComposedPrompt,
  type PromptParts,
} from './prompt-layers/compose-prompt.js';
export { withoutTags } from './prompt-layers/prompt-layer.js';
export { type ListedSkill, READ_SKILL } from './prompt-layers/prompt-layers.js';
export {
  LIST_FILES,
  READ_FILE,
  SEARCH_FILES,
  WORKSPACE_TOOLS,
  WRITE_FILE,
  type Workspace,
  type WorkspaceFile,
} from './prompt-layers/workspace.layer.js';
export { SKILL_NAME } from './skill-name.js';
export { STRATEGIES } from './strategies.js';
export { strategyDescriptionSchema, type StrategyDescription } from './strategy-description.js';
export { asText, fillJson, fillText, MAX_FILLED_CHARS } from './pipelines/template.js';
export type { OutputFormat, ValidationRule } from './pipelines/ending.schema.js';
export { holds } from './pipelines/condition.js';
export { resolvePointer, tokensOf } from './pipelines/json-pointer.js';
export { PIPELINE_KEYS, type Pipeline, type PipelineStep } from './pipelines/pipeline.schema.js';
export type { AgentStep } from './pipelines/kinds/agent-step.schema.js';
export { END, type BranchStep } from './pipelines/kinds/branch-step.schema.js';
export type { LlmStep } from './pipelines/kinds/llm-step.schema.js';
export type { MapStep } from './pipelines/kinds/map-step.schema.js';
export type { ToolStep } from './pipelines/kinds/tool-step.schema.js';
export { readPipeline, withoutPipeline } from './pipelines/read-pipeline.js';
export { readScopeLimits, scopeLimitsSchema, type WrittenScopeLimits } from './scope-limits.js';
