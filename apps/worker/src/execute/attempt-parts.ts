import { createHash } from 'node:crypto';
import type { AppConfig } from '#libs/config';
import {
  AgentUsecaseFactory,
  AttachedRoom,
  AttachmentReader,
  type AttemptDependencies,
  BackgroundReleases,
  CatalogueToolInvoker,
  EventStream,
  ExecutionMeter,
  LeaseHolder,
  ModelFactory,
  Retriever,
} from '#libs/executions';
import { systemClock, systemTimers } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import {
  classifyDatabaseError,
  ExecutionClaimStore,
  ExecutionContextStore,
  ExecutionWrites,
  PostgresJournal,
} from '#libs/persistence';
import { compileForeignSchema, indexTools } from '#libs/tool-sources';
import { ToolSource } from '#libs/tooling';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { domains } from '../domains.js';
import { JobDispatchers } from '../jobs/job-dispatchers.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { SessionFiles } from '../workspace/session-files.js';

/** Dependencies of all attempts in this process. */
@Injectable()
export class AttemptParts implements AttemptDependencies {
  readonly attachedRoom: AttemptDependencies['attachedRoom'];
  readonly usecases: AttemptDependencies['usecases'];
  readonly toolSearch: AttemptDependencies['toolSearch'];
  readonly lookUps: AttemptDependencies['lookUps'];
  readonly leaseGraceMs: number;
  readonly messageData = domains.messageData;
  readonly compileSchema = compileForeignSchema;
  readonly classifyStorageError = classifyDatabaseError;
  readonly sha256 = sha256;
  readonly clock = systemClock;
  readonly timers = systemTimers;
  readonly random = (): number => Math.random();

  constructor(
    readonly claims: ExecutionClaimStore,
    readonly contexts: ExecutionContextStore,
    readonly leases: LeaseHolder,
    readonly backgroundReleases: BackgroundReleases,
    readonly tools: ToolSource,
    readonly attachments: AttachmentReader,
    readonly files: SessionFiles,
    readonly models: ModelFactory,
    readonly events: EventStream,
    readonly meter: ExecutionMeter,
    @Inject(LOGGER) readonly logger: Logger,
    private readonly writes: ExecutionWrites,
    retriever: Retriever,
    { manager }: DataSource,
    @Inject(WORKER_CONFIG) { execution, files: limits }: AppConfig,
    // Absent in an isolated attempt, which has no queue; housekeeping then finds the session without a title.
    @Optional() private readonly jobs?: JobDispatchers,
  ) {
    this.attachedRoom = new AttachedRoom(limits?.mostAttachedBytes ?? Infinity);
    this.usecases = new AgentUsecaseFactory(retriever, sha256);
    this.toolSearch = { mostListed: execution.mostListedTools, indexTools };
    this.lookUps = domains.lookUps({ manager });
    this.leaseGraceMs = execution.leaseMs;
  }

  readonly journalOf: AttemptDependencies['journalOf'] = (claim, retries, clock, known) =>
    new PostgresJournal(this.writes, claim, clock, retries, known);

  readonly invokerOf: AttemptDependencies['invokerOf'] = (claim, parts) => {
    const { files, logger, timers, random } = this;
    return new CatalogueToolInvoker(claim, parts, { files, logger, sha256, timers, random });
  };

  readonly onTitlePending = (executionId: string): void => this.jobs?.announce('generate-title', executionId);
}

/** SHA-256 in hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
