export { decideNextAction, type NextAction, type RunnableCall } from './decide-next-action.js';
export type { LoopPorts } from './effects/loop-ports.js';
export type { AttemptIdentity, ExecutionContext } from './execution-context.js';
export { foreignMark } from './foreign-mark.js';
export { foldEntries, scopesOf, type ExecutionState } from './execution-state.js';
export type { RoundState, ScopeState, ToolCallState } from './scope-state.js';
export type {
  CallPosition,
  CallCost,
  ExecutionOutcome,
  FailureDetails,
  JournalEntry,
  ModelAnswer,
  OutcomeReport,
  Preparation,
  RequestedCall,
  ScopeOpening,
  ShownHistory,
  ToolCallOutcome,
} from './journal-entry.js';
export type { ConversationLength, MessageTokens, SummaryOrder } from './history/conversation-length.js';
export type { AnswerRules } from './answers/answer-rules.js';
export type { PipelineRules } from './pipelines/pipeline-rules.js';
export { leadsToFallback } from './fallbacks/choose-fallback.js';
export { SWITCH_REASONS, type SwitchReason } from './fallbacks/switch-reason.js';
export { FallbackModels, type FallbackModel } from './ports/fallback-models.js';
export type { FallbackRules, LoopRules } from './loop-rules.js';
export { evaluateOnce } from './scope-rules.js';
export type { DecidedBy, DecisionGrounds } from './person-decision.js';
export { isDecision, toTakenDecision, type DecisionFact } from './taken-decisions.js';
export { EventSink } from './ports/event-sink.js';
export {
  Journal,
  type JournalBatch,
  type ObservedOutcome,
  observedOutcomes,
  StagedChangeRefusedError,
} from './ports/journal.js';
export { LeaseLostError } from './ports/lease-lost-error.js';
export { ModelCallError, type ModelCallErrorOptions, type SpentOnFailure } from './ports/model-call-error.js';
export { type Wait, type WaitEnding, WaitNotice } from './ports/wait-notice.js';
export { ModelHostUnavailableError } from './ports/model-host-unavailable-error.js';
export {
  ModelPort,
  type ModelCallLimits,
  type ModelDelta,
  type ModelRequest,
  type OpenedModel,
} from './ports/model.js';
export { NO_AGENTS, ScopePlanner, type ScopePlan, type ScopeRequest } from './ports/scope-planner.js';
export { ToolInvoker, type LostCall, type ToolAnswer, type ToolInvocation } from './ports/tool-invoker.js';

export { runAgentLoop, type LoopResult } from './run-agent-loop.js';
export { type RunStep, type RunStepStatus } from './run-step.js';
export {
  callingScope,
  callName,
  childPath,
  parseCallName,
  ROOT,
  type ScopePath,
} from './scopes/scope-path.js';
export { settleFailed, settleStopped, type EndingPlan } from './settle-from-outside.js';
export {
  CANCELLED,
  roundMetadata,
  type Pricing,
  type NewChatMessage,
  type Settlement,
} from './settlement.js';
export type { UsageRecord, UsageState } from './usage-record.js';
export { isCancelled, mayStillWrite, type LoopSignals, type StopReason } from './stop-reason.js';
export { unwrittenFacts } from './unwritten-facts.js';
export type { DeliveredFile, RunReporter } from './reporting/run-reporter.js';
export { ProgressEvents } from './reporting/progress-events.js';
export { PlainReporter } from './reporting/plain-reporter.js';
export { StrategyReporter, type StrategyReportOptions } from './reporting/strategy-reporter.js';
export { stripThinkBlocks } from './display/think-blocks.js';
export { REDACTED, redactText } from './tracking/redact-secrets.js';
export {
  toRetrieverResources,
  withPassages,
  type RetrieverResources,
} from './tracking/retriever-resources.js';
export {
  factMessage,
  initMessage,
  LOG_MESSAGE_TYPES,
  resultMessage,
  userMessage,
  type LogMessage,
  type ScopeOfMessage,
} from './message-log/to-log-message.js';
export { readSummary, summaryPrompt } from './summaries/session-summary.js';
export { readTitle, titleFromInput, titlePrompt } from './titles/session-title.js';
export { readCitations } from './retrieval/citations.js';
export {
  withAttachedTexts,
  type AttachedContent,
  type PinnedAttachment,
} from './attachments/pinned-attachment.js';
export {
  composeQuestion,
  mergedText,
  mergePassages,
  type PinnedRetrieval,
} from './retrieval/pinned-retrieval.js';
export { type ListedPrices } from './tracking/execution-metadata.js';
export { visibleResponse } from './display/display-message.js';
