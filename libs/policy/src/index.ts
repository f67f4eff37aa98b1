export {
  checkAdmission,
  type AdmissionLimits,
  type AdmissionVerdict,
  type Backlog,
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
export { chooseBatch, chooseKept } from './history/choose-leaving.js';
export { chooseWindow, type CountedMessage, type HistoryWindow } from './history/choose-window.js';
export { historyBudget, isOutgrown, type HistorySize } from './history/history-limits.js';
export { readTenantSettings, tenantSettingsSchema, type TenantSettings } from './tenant-settings.js';
export {
  composePrompt,
  type ComposedLayer,
  type ComposedPrompt,
  type PromptParts,
} from './prompt-layers/compose-prompt.js';
export { withoutTags } from './prompt-layers/prompt-layer.js';
export { READ_SKILL, type ListedSkill } from './prompt-layers/skills.layer.js';
export type { Workspace, WorkspaceFile } from './prompt-layers/workspace.layer.js';
export { SKILL_NAME } from './skill-name.js';
export { STRATEGIES } from './strategies.js';
export { strategyDescriptionSchema, type StrategyDescription } from './strategy-description.js';
export { asText, fillJson, fillText } from './pipelines/template.js';
export { holds, type Condition } from './pipelines/condition.js';
export { tokensOf } from './pipelines/json-pointer.js';
export { PIPELINE_KEYS, type Pipeline, type PipelineStep } from './pipelines/pipeline.schema.js';
export type { LlmStep } from './pipelines/kinds/llm-step.schema.js';
export type { ToolStep } from './pipelines/kinds/tool-step.schema.js';
export type { PipelineFault } from './pipelines/pipeline-fault.js';
export { readPipeline, withoutPipeline, type PipelineReading } from './pipelines/read-pipeline.js';
export { readScopeLimits, scopeLimitsSchema, type WrittenScopeLimits } from './scope-limits.js';
