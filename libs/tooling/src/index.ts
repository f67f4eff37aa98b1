export type {
  Asker,
  DataSchemas,
  DomainSecrets,
  Executor,
  NamedSchema,
  OnUnknown,
  Progress,
  SecretName,
  SettlingExecution,
  TaskOutcome,
  TaskPace,
  TaskRecord,
  TaskTry,
  ToolEffect,
} from '#libs/kit';
export type { ParameterOptions } from './parameter-options.js';
export { checkToolDefinition } from './check-tool-definition.js';
export { defineTool, type ZodTool } from './define-tool.js';
export {
  callSignature,
  checkRepeat,
  type EarlierCall,
  type RepeatVerdict,
  type SignedCall,
} from './failed-call-guard.js';
export { checkFilesPath, MAX_FILE_BYTES, type FilesPath } from './file-sandbox.js';
export { cutText, wholeCharacters } from './cut-text.js';
export {
  defineDomain,
  type Domain,
  type DomainAgent,
  type DomainMigration,
  type EarlierData,
  type MessageData,
} from './domains/domain.js';
export {
  defineStagedChange,
  UnreadableStagedChangeError,
  type StagedChangeKind,
} from './domains/staged-change-kind.js';
export { checkDomains } from './domains/check-domains.js';
export type {
  DomainDependencies,
  RouteDependencies,
  TaskDependencies,
  ToolDependencies,
} from './domains/domain-dependencies.js';
export { defineTask, MAX_TRY_MS, type BackgroundTask } from './domains/background-task.js';
export type { OrderedTask, TaskOrders } from './domains/task-orders.js';
export { RequestFaultError, type BodyFault } from './domains/request-fault.js';
export type { LookUp, LookUps } from './domains/look-up.js';
export type { DomainList } from './domains/domain-list.js';
export type { DomainRoute } from './domains/domain-route.js';
export { findConfusable } from './domains/find-confusable.js';
export { DomainCatalogue } from './domains/domain-catalogue.js';
export { ATTACHMENTS_KEY, readAttachments, type AttachedFile } from './domains/attached-file.js';
export { ANNOTATIONS_KEY, CITATIONS_KEY, type MessageDataSchemas } from './domains/message-data-schemas.js';
export {
  AGENT_UNUSABLE_TEXT,
  changedToolText,
  agentCallLimitText,
  agentDepthLimitText,
  executionCallLimitText,
  FAILED_CALL_TEXT,
  FAILED_FILE_TEXT,
  iterationLimitText,
  REPEATED_FAILURE_TEXT,
  REPORTED_OUTCOME_TEXT,
  roundCallLimitText,
  UNKNOWN_OUTCOME_ADVICE_TEXT,
  UNKNOWN_OUTCOME_TEXT,
  unknownToolText,
  UNREADABLE_RETURN_TEXT,
} from './fixed-texts.js';
export { errorResult, type FunctionCallResult } from './function-call-result.js';
export { wasUnreachable, mayHaveTakenEffect } from './classify-thrown.js';
export type { CompileReader, InputReader, InputReading } from './input-reader.js';
export { isStrictSchema } from './is-strict-schema.js';
export type { OpenedScope, ScopeLimits } from './opened-scope.js';
export { type CallVerdict, evaluateToolCall, maxOutputBytesOf } from './evaluate-tool-call.js';
export { parseToolArguments, type ParsedArguments } from './parse-tool-arguments.js';
export type { PromptTool } from './prompt-tool.js';
export { PassingFailure } from './passing-failure.js';
export { REFUSAL_REASONS, type RefusalReason } from './refusal-reason.js';
export { readToolReturn, type ToolReading } from './read-tool-return.js';
export { sourcesSchema, type Passage, type Sources } from './sources.js';
export { retryTransient } from './retry-transient.js';
export { meantCall } from './arguments/meant-call.js';
export { asAsked, type ForwardedCall } from './search/call-tool.js';
export {
  listedTools,
  MAX_TOOLS_OF_A_RUN,
  offerSearched,
  type SearchedTools,
} from './search/searched-tools.js';
export type { IndexTools, ToolIndex } from './search/tool-index.js';
export { AccessTokens, type AccessChallenge } from './servers/access-tokens.js';
export { oauthSchema, type OAuthConfig } from './servers/oauth-config.schema.js';
export { serverToolName, serverToolPrefix } from './servers/server-tool-name.js';
export {
  destinationOf,
  findNulls,
  restoreLiterals,
  splitLiterals,
  type TemplateLiterals,
} from './servers/template-literals.js';
export { placeholdersOf } from './servers/template-text.js';
export {
  MAX_DOCUMENT_BYTES,
  openApiDocumentSchema,
  type OpenApiServerConfig,
} from './servers/tool-server-config.schema.js';
export { ToolsAwayError } from './servers/tools-away-error.js';
export {
  ToolServerDriver,
  ToolServerFailure,
  type OpenedServer,
  type ServerCredentials,
  type ServerTool,
  type ToolServerFault,
} from './servers/tool-server-driver.js';
export {
  TOOL_SERVER_TYPES,
  toolOverridesSchema,
  toolServerConnectionSchema,
  toolServerLimitsSchema,
  toolServerNameSchema,
  type ToolOverride,
  type ToolServer,
  type ToolServerConnection,
  type ToolServerLimits,
  type ToolServerOf,
  type ToolServerType,
} from './servers/tool-server.js';
export { describeLines, mayRunLine, type PermittedLine } from './servers/stdio-lines.js';
export { ToolCatalogue } from './tool-catalogue.js';
export type { ToolContext, ToolEvents, ToolLoad, ToolRun, ToolSourceContext } from './tool-context.js';
export type { KeptData, StagedChange, ToolDefinition, ToolReturn } from './tool-definition.js';
export { ToolSource } from './tool-source.js';
export { fillTemplate, type FilledTemplate } from './tokens/fill-template.js';
export { toAnswerSchema } from './to-input-schema.js';
export { TokenStore } from './tokens/token-store.js';
export { ToolNotBegun } from './tool-not-begun.js';
export { ToolOutcomeUnknown } from './tool-outcome-unknown.js';
export type { ToolFile } from './tool-file.js';
export {
  toOpenedDelivery,
  type Delivery,
  type FileToOpen,
  type OpenedFile,
  type ToolOutput,
} from './tool-output.js';
export { findPathFault, foldersOf, MAX_WORKSPACE_PATH } from './workspace/workspace-path.js';
export {
  findWriteFault,
  type ExpectedFile,
  WORKSPACE_LIMITS,
  type WorkspaceEntry,
  type WorkspaceListing,
  type WorkspaceOwner,
  type WorkspaceShelf,
  type WorkspaceUse,
  type WorkspaceWrite,
  type WorkspaceWriting,
} from './workspace/workspace-shelf.js';
