import type { components } from '../../generated/openapi.js';

type Schemas = components['schemas'];

export type Agent = Schemas['Agent'];
export type AgentFields = Schemas['AgentFields'];
export type AgentVersion = Schemas['AgentVersion'];
export type AgentWarning = NonNullable<Schemas['WrittenAgent']['warnings']>[number];
export type ApiKey = Schemas['ApiKey'];
export type Caller = Schemas['Caller'];
/** An event of all executions of the tenant. */
export type ChangeEvent = Exclude<Schemas['ExecutionListEvent'], { event: 'heartbeat' }>;
export type Connection = Schemas['Connection'];
export type ConsoleSession = Schemas['ConsoleSession'];
export type Datasource = Schemas['Datasource'];
export type Decision = Schemas['Decisions']['decisions'][number];
export type DocumentChunk = Schemas['DocumentChunk'];
/** An event of a document; heartbeats only keep the connection open. */
export type DocumentEvent = Exclude<Schemas['DocumentEvent'], { event: 'heartbeat' }>;
export type DocumentWarning = Schemas['DocumentWarning'];
export type Effect = Tool['effect'];
export type Execution = Schemas['Execution'];
export type ExecutionStatus = Execution['status'];
export type ExecutionSummary = Schemas['ExecutionSummary'];
/** An execution as it is read by itself. */
export type ExecutionWithRequest = Schemas['ExecutionWithRequest'];
/** A passage that a search of a datasource found. */
export type Hit = Schemas['DatasourceSearchAnswer']['hits'][number];
/** A document of a datasource, not the one of the browser. */
export type KnowledgeDocument = Schemas['Document'];
export type Llm = Schemas['Llm'];
export type LlmFields = Schemas['LlmFields'];
export type LlmValidation = Schemas['LlmValidation'];
export type Memory = Schemas['Memory'];
export type Message = Schemas['Message'];
export type ModelList = Schemas['ModelList'];
export type ModelParameter = Schemas['Model']['parameters'][number];
export type NewApiKey = Schemas['NewApiKey'];
export type Overview = Schemas['Overview'];
export type Problem = Schemas['Problem'];
/** Entry of the timeline of a run, by `kind`. */
export type RecordedEntry = Schemas['Timeline'];
/** An event of a run; heartbeats only keep the connection open. */
export type RunEvent = Exclude<Schemas['ExecutionEvent'], { event: 'heartbeat' }>;
export type RunStep = Schemas['RunStep'];
export type Session = Schemas['Session'];
/** A file in the workspace of a session. */
export type SessionFile = Schemas['SessionFile'];
export type Skill = Schemas['Skill'];
export type SkillSummary = Schemas['SkillSummary'];
/** How an execution stands, as the stream of all executions says it. */
export type Standing = Schemas['ExecutionListExecutionEvent']['data'];
/** A file of the tenant that executions can attach. */
export type StoredFile = Schemas['File'];
export type Strategy = Schemas['Strategy'];
export type StrategyParameter = Strategy['parameters'][number];
export type Tenant = Schemas['Tenant'];
export type Tool = Schemas['Tool'];
export type ToolServer = Schemas['ToolServer'];
export type ToolServerFields = Schemas['ToolServerFields'];
export type ToolServerProbe = Schemas['ToolServerProbe'];
export type ToolServerType = ToolServer['type'];
export type ToolTrial = Schemas['ToolTrial'];
export type UsageGroup = Schemas['UsagePage']['group_by'];
/** Sums of usage of one group. */
export type UsageSum = Schemas['UsagePage']['data'][number];
/** A tool call that waits for a person. */
export type WaitingCall = NonNullable<Execution['required_action']>['calls'][number];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryWithAttempts = Schemas['WebhookDeliveryWithAttempts'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type Worker = Schemas['WorkerPage']['data'][number];
