import type { components } from '../../generated/openapi.js';

type Schemas = components['schemas'];

export type Agent = Schemas['Agent'];
export type Caller = Schemas['Caller'];
export type Datasource = Schemas['Datasource'];
export type DocumentChunk = Schemas['DocumentChunk'];
export type DocumentWarning = Schemas['DocumentWarning'];
/** A document of a datasource, not the one of the browser. */
export type KnowledgeDocument = Schemas['Document'];
/** An event of a document; heartbeats only keep the connection open. */
export type DocumentEvent = Exclude<Schemas['DocumentEvent'], { event: 'heartbeat' }>;
/** A passage that a search of a datasource found. */
export type Hit = Schemas['DatasourceSearchAnswer']['hits'][number];
export type Execution = Schemas['Execution'];
export type ExecutionSummary = Schemas['ExecutionSummary'];
export type ExecutionStatus = Execution['status'];
/** An event of a run; heartbeats only keep the connection open. */
export type RunEvent = Exclude<Schemas['ExecutionEvent'], { event: 'heartbeat' }>;
export type Llm = Schemas['Llm'];
export type Memory = Schemas['Memory'];
export type Problem = Schemas['Problem'];
export type RunStep = Schemas['RunStep'];
/** Entry of the timeline of a run, by `kind`. */
export type RecordedEntry = Schemas['Timeline'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryWithAttempts = Schemas['WebhookDeliveryWithAttempts'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type Decision = Schemas['Decisions']['decisions'][number];
/** A tool call that waits for a person. */
export type WaitingCall = NonNullable<Execution['required_action']>['calls'][number];
