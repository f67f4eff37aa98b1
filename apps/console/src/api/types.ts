import type { components } from '../../generated/openapi.js';

type Schemas = components['schemas'];

export type Agent = Schemas['Agent'];
export type Caller = Schemas['Caller'];
export type Execution = Schemas['Execution'];
export type ExecutionSummary = Schemas['ExecutionSummary'];
export type ExecutionStatus = Execution['status'];
/** An event of a run; heartbeats only keep the connection open. */
export type RunEvent = Exclude<Schemas['ExecutionEvent'], { event: 'heartbeat' }>;
export type Message = Schemas['Message'];
export type Problem = Schemas['Problem'];
export type RunStep = Schemas['RunStep'];
export type Session = Schemas['Session'];
/** A file of the tenant that executions can attach. */
export type StoredFile = Schemas['File'];
/** Entry of the timeline of a run, by `kind`. */
export type RecordedEntry = Schemas['Timeline'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type Decision = Schemas['Decisions']['decisions'][number];
/** A tool call that waits for a person. */
export type WaitingCall = NonNullable<Execution['required_action']>['calls'][number];
