import type { DatabaseLedger } from './database-ledger.js';

/** Times are Unix milliseconds of the one machine that everything runs on. */
type Time = number;

/** One request of the load client, with every answer that it got for it. */
export interface SubmissionRecord {
  /** The `Idempotency-Key`; also the key of the model's script and the metadata `chaos_key`. */
  readonly key: string;
  readonly tenantId: string;
  /** Execution ids of all 2xx answers, in order; a second one is a repeat under the same key. */
  readonly acceptedAs: readonly string[];
  readonly acceptedAt: Time | null;
  /** Requests that were sent for it. */
  readonly tries: number;
}

export interface CancelRecord {
  readonly executionId: string;
  readonly acknowledgedAt: Time;
}

/** A client was told that an execution has ended. */
export interface ObservedEnding {
  readonly executionId: string;
  readonly status: string;
  readonly told: 'read' | 'event' | 'webhook' | 'wait';
}

export interface StreamedEvent {
  readonly id: number;
  readonly event: string;
  /** Of `text_delta` and `attempt_restarted`. */
  readonly round: number | null;
  /** Of `text_delta`. */
  readonly text: string | null;
}

/** One connection of a client that follows events. */
export interface StreamConnection {
  readonly afterId: number;
  readonly events: readonly StreamedEvent[];
}

export interface FollowerRecord {
  readonly executionId: string;
  /** In order. Between two of them the client says the last id that it has seen. */
  readonly connections: readonly StreamConnection[];
  readonly endedAt: Time;
}

export interface ReceivedWebhook {
  readonly id: string;
  readonly tenantId: string;
  readonly body: string;
  readonly isSignatureValid: boolean;
  readonly answeredWith: number;
}

/** A call that reached the outside world. */
export interface EffectRecord {
  /** `<execution>.<round>.<position>`, which the tool got as its idempotency key. */
  readonly callKey: string;
  readonly tool: string;
  readonly at: Time;
}

/** A request that the model provider saw. */
export interface ModelRequestRecord {
  readonly key: string | null;
  readonly status: number | null;
  readonly responseId: string | null;
  readonly isComplete: boolean;
  readonly totalTokens: number | null;
  /** The markers of earlier answers that the request holds. */
  readonly knownAnswers: readonly string[];
  /** `call_id`s that have no output, or more than one, or outputs without a call. */
  readonly brokenPairs: readonly string[];
}

export interface TimeSpan {
  readonly from: Time;
  readonly to: Time;
}

export interface ProcessSample {
  readonly name: string;
  readonly residentBytes: number;
}

/** Everything that was seen of one run: what the clients, the fakes and the database say. */
export interface ChaosWorld {
  readonly submissions: readonly SubmissionRecord[];
  readonly cancels: readonly CancelRecord[];
  readonly endings: readonly ObservedEnding[];
  readonly followers: readonly FollowerRecord[];
  readonly webhooks: readonly ReceivedWebhook[];
  readonly effects: readonly EffectRecord[];
  readonly modelRequests: readonly ModelRequestRecord[];
  /** Statuses that one tenant got when it asked for another's execution. */
  readonly foreignReads: readonly number[];
  /** When live events may have been lost: their store was down, cut off or emptied. */
  readonly streamOutages: readonly TimeSpan[];
  /** From the last fault until nothing was open any more; null when something still was at the end of the wait. */
  readonly drainedAfterMs: number | null;
  /** Where a secret was found: `<what> in <where>`. */
  readonly leaks: readonly string[];
  readonly samples: readonly ProcessSample[];
  /** Processes that were ready and then ended although nobody had asked them to. */
  readonly unexpectedExits: readonly string[];
  /** The longest that a transaction was seen idle. */
  readonly longestIdleTransactionMs: number;
  /** Jobs and keys left in the queue at the end. */
  readonly leftInQueue: number;
  readonly database: DatabaseLedger;
}
