export { cancelExecution } from './cancel/cancel-execution.js';
export { CANCELLED_UNSTARTED, evaluateCancellation } from './cancel/evaluate-cancellation.js';
export { decideCalls } from './decide/decide-calls.js';
export { timeoutDecisions, evaluateDecisions, type WaitingCall } from './decide/evaluate-decisions.js';
export { AcceptedSender } from './dispatch/accepted-sender.js';
export { Assigner } from './assign/assigner.js';
export { AssignmentIntake } from './assign/assignment-intake.js';
export { AssignmentStore, type Assignment } from './ports/assignment-store.js';
export { WorkerDoors, type Offers, type WorkerDoor } from './ports/worker-door.js';
export { ExecutionDispatcher, type ExecutionDispatch } from './dispatch/execution-dispatcher.js';
export { CancelStore, type CancellationResult } from './ports/cancel-store.js';
export { DecisionStore, type ApprovalResult, type CallDecision } from './ports/decision-store.js';
export { DispatchStore, type DispatchedExecution, type DispatchOptions } from './ports/dispatch-store.js';
export { ExecutionReader, type ExecutionEnding, type StoredRequest } from './ports/execution-reader.js';
export {
  AcceptanceStore,
  type Acceptance,
  type EarlierAcceptance,
  type CheckedRows,
  type SealedToken,
  type Submission,
} from './ports/acceptance-store.js';
export { findRepeatable } from './retry/find-repeatable.js';
export { asPipeline } from './pipelines/as-pipeline.js';
export { AwaitSettlement } from './await/await-settlement.js';
export { BacklogGauge, type TenantBacklog } from './submit/backlog-gauge.js';
export {
  SubmitExecution,
  type PassedChecks,
  type ReachedLimit,
  type SealToken,
  type SubmitCommand,
  type SubmitDependencies,
  type Submitted,
} from './submit/submit-execution.js';
export { Dispatcher, type DueSource, PacedTrigger } from './dispatch/dispatcher.js';
export { executionEvents, findSeenEnding } from './events/execution-events.js';
export { StatusReads } from './events/status-reads.js';
export { followEvents, type FollowedItem } from './events/follow-events.js';
export {
  ClaimStore,
  type Claim,
  type ClaimFence,
  type ClaimOptions,
  type EngineRuns,
  type ClaimResult,
  type QueuedWait,
} from './ports/claim-store.js';
export type { ClaimedState, StoredFact } from './ports/claimed-state.js';
export { type AgentVersionKey, ContextStore } from './ports/context-store.js';
export type {
  StoredAgent,
  StoredContext,
  StoredLlm,
  StoredMessage,
  StoredSummary,
  StoredTenant,
} from './ports/stored-context.js';
export { AttachedRoom } from './attachments/attached-room.js';
export { AttachmentReader, type FileText } from './ports/attachment-reader.js';
export { MAX_STORED_TURNS } from './ports/stored-context.js';
export {
  EventStream,
  type AppendNews,
  type AppendWatch,
  type FollowerWatch,
  type SettlementNews,
  type SettlementWatch,
  EventStreamConflictError,
} from './ports/event-stream.js';
export {
  ExecutionMeter,
  NO_METER,
  type AttemptEnding,
  type ClaimOutcome,
  type MeasuredModelCall,
  type Measurement,
} from './ports/execution-meter.js';
export { Retriever, type RetrievalQuery, type Retrieved } from './ports/retriever.js';
export { LeaseHolder } from './ports/lease-holder.js';
export { ModelFactory, type ResolvedModel, type Tokenizer } from './ports/model-factory.js';
export { NO_RETRY, type RetryPolicy } from './ports/retry-policy.js';
export { type ClassifyStorageError, type StorageFailure } from './ports/storage-failure.js';
export {
  SummaryStore,
  type ClaimedSummary,
  type DueSummary,
  type MessageRange,
  type NewSummary,
  type SummaryDispatchOptions,
} from './ports/summary-store.js';
export { SummarizeSession } from './summarize/summarize-session.js';
export { WorkspaceFiles, type FileOwner } from './ports/workspace-files.js';
export type { AttemptDependencies, InvokerParts } from './attempt/attempt-dependencies.js';
export { BackgroundReleases } from './slots/background-releases.js';
export { CatalogueToolInvoker } from './tools/catalogue-tool-invoker.js';
export { LeaseKeeper, type Heartbeat } from './attempt/lease-keeper.js';
export { ExecutionSlots } from './slots/execution-slots.js';
export { FairShareReserve, type Underserved } from './slots/fair-share-reserve.js';
export { runAttempt } from './attempt/run-attempt.js';
export { unknownUsage, usageBesideLoop, type CallBesideLoop } from './attempt/usage-beside-loop.js';
export type {
  Isolation,
  IsolationEnding,
  IsolationPlace,
  RunExecutionDependencies,
} from './attempt/run-execution-dependencies.js';
export { measureModelCalls } from './attempt/measured-journal.js';
export { RunExecution } from './attempt/run-execution.js';
export {
  AgentUsecaseFactory,
  RUNNABLE_USECASES,
  type RunnableUsecase,
} from './runners/agent-usecase-factory.js';
export { JobIntake } from './slots/job-intake.js';
export { ExtractMemories } from './memories/extract-memories.js';
export { isLearntForeign, evaluateProposal, type MemoryWrites } from './memories/evaluate-proposal.js';
export {
  MAX_MEMORY_CHARACTERS,
  MEMORY_ORIGINS,
  memoryKey,
  toMemoryText,
  type MemoryOrigin,
  type MemoryView,
} from './memories/memory.js';
export {
  MemoryExtractionStore,
  type ClaimedExtraction,
  type DueExtraction,
  type ExtractionDispatchOptions,
  type UnlearntOutcome,
} from './memories/memory-extraction-store.js';
export type { KeptFact, MemoryProposal } from './memories/memory-proposal.js';
export {
  MemoryStore,
  type MemoryChange,
  type MemoryCreation,
  type MemoryFilter,
  type VersionedMemory,
} from './memories/memory-store.js';
