import type { EventSink, Journal, ToolInvoker } from '#libs/agent-core';
import type { Clock, Timers } from '#libs/kernel';
import type { ReadableMedia } from '#libs/payloads';
import type {
  CompileReader,
  IndexTools,
  LookUps,
  MessageDataSchemas,
  ToolCatalogue,
  ToolSource,
} from '#libs/tooling';
import type { AttachedRoom } from '../attachments/attached-room.js';
import type { AttachmentReader } from '../ports/attachment-reader.js';
import type { Claim, ClaimStore } from '../ports/claim-store.js';
import type { StoredFact } from '../ports/claimed-state.js';
import type { ContextStore } from '../ports/context-store.js';
import type { EventStream } from '../ports/event-stream.js';
import type { ExecutionMeter } from '../ports/execution-meter.js';
import type { LeaseHolder } from '../ports/lease-holder.js';
import type { ModelFactory } from '../ports/model-factory.js';
import type { Patience } from '../ports/patience.js';
import type { RunLog } from '../ports/run-log.js';
import type { JudgeStorageError } from '../ports/storage-failure.js';
import type { WorkspaceFiles } from '../ports/workspace-files.js';
import type { AgentUsecaseFactory } from '../runners/agent-usecase-factory.js';
import type { BackgroundReleases } from '../slots/background-releases.js';

/** What the calls of one attempt run with. */
export interface InvokerParts {
  /** What the run may call. */
  readonly catalogue: ToolCatalogue;
  readonly events: EventSink;
  /** Media of tools that the model reads as they are. */
  readonly nativeMedia: readonly ReadableMedia[];
  readonly lateOutcomes: Pick<Journal, 'recordLateOutcomes'>;
}

export interface ToolSearch {
  /** Tools that a model is given descriptions of; where a run has more it searches for them. */
  readonly mostListed: number;
  readonly indexTools: IndexTools;
}

/** Everything that one attempt at a claimed execution touches; introduced to each other by the app. */
export interface AttemptDependencies {
  readonly claims: ClaimStore;
  readonly backgroundReleases: BackgroundReleases;
  readonly contexts: ContextStore;
  readonly leases: LeaseHolder;
  readonly tools: ToolSource;
  /** Runs the tools of one claimed execution. */
  readonly invokerOf: (claim: Claim, parts: InvokerParts) => ToolInvoker;
  /**
   * The journal of one claimed execution; what its store refuses for the moment is tried again with `patience`. `clock` is
   * the store's. What is `known` of its facts is not read again.
   */
  readonly journalOf: (
    claim: Claim,
    patience: Patience,
    clock: Pick<Clock, 'now'>,
    known: readonly StoredFact[] | null,
  ) => Journal;
  /** What becomes of a run with many tools. */
  readonly toolSearch: ToolSearch;
  /** Makes the reader of a schema that a tenant wrote, for the answers of steps. */
  readonly compileSchema: CompileReader;
  readonly models: ModelFactory;
  /** Who prepares the runs of an agent. */
  readonly usecases: Pick<AgentUsecaseFactory, 'runnerOf'>;
  readonly files: WorkspaceFiles;
  /** Reads what came with the request. */
  readonly attachments: AttachmentReader;
  /** How much of that this process holds at once. */
  readonly attachedRoom: AttachedRoom;
  readonly events: EventStream;
  /** The session of this settled execution has no title yet; its result has been emitted. */
  readonly onTitlePending: (executionId: string) => void;
  /** Decides what of a message's data the model reads. */
  readonly messageData: Pick<MessageDataSchemas, 'shownToModel'>;
  /** What is looked up of it for the model (S2-26). */
  readonly lookUps: LookUps;
  readonly judgeStorageError: JudgeStorageError;
  /** In hexadecimal. */
  readonly sha256: (text: string) => string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** 0 ≤ random < 1. */
  readonly random: () => number;
  readonly logger: RunLog;
  readonly meter: ExecutionMeter;
  /** For how long what a store refuses is repeated within one attempt, in milliseconds. */
  readonly patienceMs: number;
}
