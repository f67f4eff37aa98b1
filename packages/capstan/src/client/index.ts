export { Capstan } from './capstan.js';
export type { CapstanOptions } from './settings.js';
export type { CallOptions, UploadOptions, UploadProgress } from './call-options.js';
export { chatTurns, type ChatTurn, type ChatTurnOptions, type ChatTurns } from './chat-turns.js';
export { ApiPromise, type ApiAnswer } from './api-promise.js';
export { PagePromise, type Page } from './page.js';
export type { ApprovalOptions, Executions } from './executions.js';
export type { Documents } from './documents.js';
export type { Connection, FollowExecutionOptions, FollowOptions } from './events/follow.js';
export type { Completed, RequiresAction, RunOptions, RunResult } from './run.js';
export type { Schema } from './standard-schema.js';
export { unwrapWebhook } from './unwrap-webhook.js';
export {
  ApiError,
  AuthenticationError,
  CapstanError,
  ConflictError,
  ConnectionError,
  ExecutionCancelledError,
  ExecutionError,
  ExecutionFailedError,
  ExecutionIncompleteError,
  InvalidRequestError,
  NotFoundError,
  OutputError,
  PermissionError,
  placeOf,
  RateLimitError,
  ServerError,
  TimeoutError,
  WebhookError,
  type ErrorCode,
  type FieldError,
} from './errors.js';
export type {
  Decision,
  DocumentEvent,
  ExecuteRequest,
  Execution,
  ExecutionEvent,
  ExecutionListEvent,
  ExecutionStatus,
  Problem,
  Schemas,
  WaitingCall,
  WebhookEvent,
} from './types.js';
