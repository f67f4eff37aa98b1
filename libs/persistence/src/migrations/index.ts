import { CreateAgentsAndSessions1764000000000 } from './1764000000000-create-agents-and-sessions.js';
import { CreateExecutions1764000000001 } from './1764000000001-create-executions.js';
import { CreateWebhooks1764000000002 } from './1764000000002-create-webhooks.js';
import { AddLlmCredentialsAndCost1764000000003 } from './1764000000003-add-llm-credentials-and-cost.js';
import { AddApprovals1764000000004 } from './1764000000004-add-approvals.js';
import { SealWebhookSecrets1764000000005 } from './1764000000005-seal-webhook-secrets.js';
import { AddCancellation1764000000006 } from './1764000000006-add-cancellation.js';
import { AddWorkerPresence1764000000007 } from './1764000000007-add-worker-presence.js';
import { AddExecutionWebhooks1764000000008 } from './1764000000008-add-execution-webhooks.js';
import { AddLateEvidence1764000000009 } from './1764000000009-add-late-evidence.js';
import { AddSessionHead1764000000010 } from './1764000000010-add-session-head.js';
import { AddClaimToken1764000000011 } from './1764000000011-add-claim-token.js';
import { AddBlameAndShares1764000000012 } from './1764000000012-add-blame-and-shares.js';
import { AddDeliverySender1764000000013 } from './1764000000013-add-delivery-sender.js';
import { AddUsageOfFailedCalls1764000000014 } from './1764000000014-add-usage-of-failed-calls.js';
import { WidenWhatEndingsStore1764000000015 } from './1764000000015-widen-what-endings-store.js';
import { AddRateLimits1764000000016 } from './1764000000016-add-rate-limits.js';
import { AddVersions1764000000017 } from './1764000000017-add-versions.js';
import { IndexWhenExecutionsAreDue1764000000018 } from './1764000000018-index-when-executions-are-due.js';
import { AddScopes1764000000019 } from './1764000000019-add-scopes.js';
import { AddTenantsAndSkills1764000000020 } from './1764000000020-add-tenants-and-skills.js';
import { AddAgentVersions1764000000021 } from './1764000000021-add-agent-versions.js';
import { AddUsagePerCall1764000000022 } from './1764000000022-add-usage-per-call.js';
import { AddSessionLifecycle1764000000023 } from './1764000000023-add-session-lifecycle.js';
import { AddKeyLifecycle1764000000024 } from './1764000000024-add-key-lifecycle.js';
import { IndexWhatListsAskFor1764000000025 } from './1764000000025-index-what-lists-ask-for.js';
import { SharePlacesAmongMany1764000000026 } from './1764000000026-share-places-among-many.js';
import { CountWebhookRequests1764000000028 } from './1764000000028-count-webhook-requests.js';
import { DecideDispatchAtAccept1764000000029 } from './1764000000029-decide-dispatch-at-accept.js';
import { IndexEveryListFilter1764000000030 } from './1764000000030-index-every-list-filter.js';
import { KeepPlansToTheirIndexes1764000000031 } from './1764000000031-keep-plans-to-their-indexes.js';
import { AddToolServers1764000000034 } from './1764000000034-add-tool-servers.js';
import { AddToolTrials1764000000035 } from './1764000000035-add-tool-trials.js';
import { AddExecutionTokens1764000000036 } from './1764000000036-add-execution-tokens.js';
import { AddKnowledge1764000000040 } from './1764000000040-add-knowledge.js';
import { AddToolServerOAuth1764000000046 } from './1764000000046-add-tool-server-oauth.js';
import { AddConnections1764000000047 } from './1764000000047-add-connections.js';
import { SayWhoseBlobsGo1764000000048 } from './1764000000048-say-whose-blobs-go.js';
import { AddDocumentSearches1764000000050 } from './1764000000050-add-document-searches.js';
import { NoteIndexedVectors1764000000051 } from './1764000000051-note-indexed-vectors.js';
import { AddFiles1764000000053 } from './1764000000053-add-files.js';
import { LetUploadsBeRepeated1764000000054 } from './1764000000054-let-uploads-be-repeated.js';
import { AddSessionSummaries1764000000058 } from './1764000000058-add-session-summaries.js';
import { AddDomainTasks1764000000059 } from './1764000000059-add-domain-tasks.js';
import { AddMemories1764000000060 } from './1764000000060-add-memories.js';
import { OrderExtractions1764000000061 } from './1764000000061-order-extractions.js';
import { AddTokenRevocations1764000000064 } from './1764000000064-add-token-revocations.js';
import { ReadPausesUnderTheLock1764000000067 } from './1764000000067-read-pauses-under-the-lock.js';
import { SayWhatExecutionsWaitFor1764000000070 } from './1764000000070-say-what-executions-wait-for.js';
import { AddSentInputAndTaint1764000000071 } from './1764000000071-add-sent-input-and-taint.js';
import { AddDocumentWarnings1764000000072 } from './1764000000072-add-document-warnings.js';
import { AddTaintOfMemories1764000000073 } from './1764000000073-add-taint-of-memories.js';
import { CountQueuesExactly1764000000074 } from './1764000000074-count-queues-exactly.js';
import { IndexExecutors1764000000075 } from './1764000000075-index-executors.js';
import { KeepAnswers1764000000076 } from './1764000000076-keep-answers.js';
import { MarkRestoredExecutions1764000000077 } from './1764000000077-mark-restored-executions.js';

/** In their order. A migration that has landed is never edited. */
export const coreMigrations = [
  CreateAgentsAndSessions1764000000000,
  CreateExecutions1764000000001,
  CreateWebhooks1764000000002,
  AddLlmCredentialsAndCost1764000000003,
  AddApprovals1764000000004,
  SealWebhookSecrets1764000000005,
  AddCancellation1764000000006,
  AddWorkerPresence1764000000007,
  AddExecutionWebhooks1764000000008,
  AddLateEvidence1764000000009,
  AddSessionHead1764000000010,
  AddClaimToken1764000000011,
  AddBlameAndShares1764000000012,
  AddDeliverySender1764000000013,
  AddUsageOfFailedCalls1764000000014,
  WidenWhatEndingsStore1764000000015,
  AddRateLimits1764000000016,
  AddVersions1764000000017,
  IndexWhenExecutionsAreDue1764000000018,
  AddScopes1764000000019,
  AddTenantsAndSkills1764000000020,
  AddAgentVersions1764000000021,
  AddUsagePerCall1764000000022,
  AddSessionLifecycle1764000000023,
  AddKeyLifecycle1764000000024,
  IndexWhatListsAskFor1764000000025,
  SharePlacesAmongMany1764000000026,
  CountWebhookRequests1764000000028,
  DecideDispatchAtAccept1764000000029,
  IndexEveryListFilter1764000000030,
  KeepPlansToTheirIndexes1764000000031,
  AddToolServers1764000000034,
  AddToolTrials1764000000035,
  AddExecutionTokens1764000000036,
  AddKnowledge1764000000040,
  AddToolServerOAuth1764000000046,
  AddConnections1764000000047,
  SayWhoseBlobsGo1764000000048,
  AddDocumentSearches1764000000050,
  NoteIndexedVectors1764000000051,
  AddFiles1764000000053,
  LetUploadsBeRepeated1764000000054,
  AddSessionSummaries1764000000058,
  AddDomainTasks1764000000059,
  AddMemories1764000000060,
  OrderExtractions1764000000061,
  AddTokenRevocations1764000000064,
  ReadPausesUnderTheLock1764000000067,
  SayWhatExecutionsWaitFor1764000000070,
  AddSentInputAndTaint1764000000071,
  AddDocumentWarnings1764000000072,
  AddTaintOfMemories1764000000073,
  CountQueuesExactly1764000000074,
  IndexExecutors1764000000075,
  KeepAnswers1764000000076,
  MarkRestoredExecutions1764000000077,
];
