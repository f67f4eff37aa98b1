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
/** An execution as it is read by itself. */
export type ExecutionWithRequest = Schemas['ExecutionWithRequest'];
export type ExecutionSummary = Schemas['ExecutionSummary'];
export type ExecutionStatus = Execution['status'];
/** An event of a run; heartbeats only keep the connection open. */
export type RunEvent = Exclude<Schemas['ExecutionEvent'], { event: 'heartbeat' }>;
/** How an execution stands, as the stream of all executions says it. */
export type Standing = Schemas['ExecutionListExecutionEvent']['data'];
/** An event of all executions of the tenant. */
export type ChangeEvent = Exclude<Schemas['ExecutionListEvent'], { event: 'heartbeat' }>;
export type Message = Schemas['Message'];
export type Llm = Schemas['Llm'];
export type Memory = Schemas['Memory'];
export type Problem = Schemas['Problem'];
export type RunStep = Schemas['RunStep'];
export type Session = Schemas['Session'];
/** A file of the tenant that executions can attach. */
export type StoredFile = Schemas['File'];
/** Entry of the timeline of a run, by `kind`. */
export type RecordedEntry = Schemas['Timeline'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryWithAttempts = Schemas['WebhookDeliveryWithAttempts'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type Decision = Schemas['Decisions']['decisions'][number];
/** A tool call that waits for a person. */
export type WaitingCall = NonNullable<Execution['required_action']>['calls'][number];
/** Sums of usage of one group. */
export type UsageSum = Schemas['UsagePage']['data'][number];
export type UsageGroup = Schemas['UsagePage']['group_by'];
export type Overview = Schemas['Overview'];
export type Worker = Schemas['WorkerPage']['data'][number];
export type ApiKey = Schemas['ApiKey'];
export type NewApiKey = Schemas['NewApiKey'];
export type ConsoleSession = Schemas['ConsoleSession'];
export type LlmFields = Schemas['LlmFields'];
export type LlmValidation = Schemas['LlmValidation'];
export type ModelList = Schemas['ModelList'];
export type Skill = Schemas['Skill'];
export type SkillSummary = Schemas['SkillSummary'];
export type Tenant = Schemas['Tenant'];
