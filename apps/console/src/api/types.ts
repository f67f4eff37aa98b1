import type { components } from '../../generated/openapi.js';

type Schemas = components['schemas'];

export type Agent = Schemas['Agent'];
export type Caller = Schemas['Caller'];
export type Execution = Schemas['Execution'];
export type ExecutionSummary = Schemas['ExecutionSummary'];
export type ExecutionStatus = Execution['status'];
/** An event of a run; heartbeats only keep the connection open. */
export type RunEvent = Exclude<Schemas['ExecutionEvent'], { event: 'heartbeat' }>;
export type Problem = Schemas['Problem'];
export type RunStep = Schemas['RunStep'];
/** Entry of the timeline of a run, by `kind`. */
export type RecordedEntry = Schemas['Timeline'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
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
export type Llm = Schemas['Llm'];
export type LlmFields = Schemas['LlmFields'];
export type LlmValidation = Schemas['LlmValidation'];
export type ModelList = Schemas['ModelList'];
export type Skill = Schemas['Skill'];
export type SkillSummary = Schemas['SkillSummary'];
export type Tenant = Schemas['Tenant'];
