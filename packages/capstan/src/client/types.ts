import type { components } from '../../generated/openapi.js';

/** Shapes of the API by their names in openapi.json. */
export type Schemas = components['schemas'];

export type Problem = Schemas['Problem'];
export type Execution = Schemas['Execution'];
export type ExecutionStatus = Execution['status'];
/** An event of an execution; heartbeats only hold the connection open. */
export type ExecutionEvent = Exclude<Schemas['ExecutionEvent'], { event: 'heartbeat' }>;
export type ExecutionListEvent = Exclude<Schemas['ExecutionListEvent'], { event: 'heartbeat' }>;
export type DocumentEvent = Exclude<Schemas['DocumentEvent'], { event: 'heartbeat' }>;
export type ExecuteRequest = Schemas['ExecuteRequest'];
/** A tool call that waits for a person. */
export type WaitingCall = NonNullable<Execution['required_action']>['calls'][number];
export type Decision = Schemas['Decisions']['decisions'][number];
/** A webhook: its type, its time, and the execution as it was then; `webhook.test` has the tested endpoint instead. */
export type WebhookEvent = Schemas['WebhookBody'] | Schemas['WebhookTestBody'];
