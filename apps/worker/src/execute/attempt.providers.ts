import type { Provider } from '@nestjs/common';
import { titleFromInput } from '#libs/agent-core';
import {
  AgentUsecaseFactory,
  AttachedRoom,
  AttachmentReader,
  BackgroundReleases,
  CatalogueToolInvoker,
  EventStream,
  ExecutionMeter,
  LeaseHolder,
  PacedTrigger,
  Retriever,
  type AttemptDependencies,
} from '#libs/executions';
import type { AppConfig } from '#libs/config';
import { pause, systemClock, systemTimers } from '#libs/kernel';
import { AuditLog, ModelHosts, modelProviders } from '#libs/model-providers';
import { warnRarely, type Logger } from '#libs/observability';
import {
  ExecutionClaimStore,
  ExecutionContextStore,
  ExecutionEndings,
  ExecutionTokenStore,
  ExecutionWrites,
  judgeDatabaseError,
  PostgresJournal,
  SkillStore,
} from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import {
  AgentTools,
  BuiltinTools,
  CombinedToolSource,
  compileForeignSchema,
  indexTools,
  KnowledgeTools,
  SkillTools,
  TenantServers,
} from '#libs/tool-sources';
import { TokenStore, ToolSource } from '#libs/tooling';
import { DataSource } from 'typeorm';
import { attachmentProvider } from '../attachments/attachment.providers.js';
import { domains } from '../domains.js';
import { openedSecrets } from '../background-tasks/opened-secrets.js';
import { JobDispatchers } from '../jobs/job-dispatchers.js';
import { DomainServers, domainServersProvider } from '../tool-servers/domain-servers.js';
import { retrieveProviders } from '../retrieve/retrieve.providers.js';
import { toolServerProviders } from '../tool-servers/tool-server.providers.js';
import { BornDeliveries } from '../webhooks/born-deliveries.js';
import { ATTEMPT_DEPENDENCIES, LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { ProviderModelFactory } from './model.factory.js';
import { SealedTokens } from './sealed-tokens.js';
import { SessionFiles } from './session-files.js';
import { sha256 } from './sha256.js';

/**
 * Everything that one attempt needs, wherever it runs, but who holds its lease, `LeaseHolder`, and who counts what becomes
 * of it, `ExecutionMeter`.
 */
export const attemptProviders: Provider[] = [
  domainServersProvider,
  {
    provide: BuiltinTools,
    inject: [DataSource, WORKER_CONFIG, DomainServers],
    useFactory: (dataSource: DataSource, config: AppConfig, { fetchFor }: DomainServers) => {
      const running = { secrets: openedSecrets(dataSource, config), fetchFor };
      return new BuiltinTools(domains.tools({ manager: dataSource.manager, running }));
    },
  },
  {
    provide: ToolSource,
    inject: [BuiltinTools, TenantServers, Retriever, DataSource],
    useFactory: (
      builtin: BuiltinTools,
      servers: TenantServers,
      retriever: Retriever,
      dataSource: DataSource,
    ) =>
      new CombinedToolSource([
        builtin,
        new AgentTools(),
        new SkillTools(new SkillStore(dataSource)),
        new KnowledgeTools(retriever),
        servers,
      ]),
  },
  ...toolServerProviders,
  ...retrieveProviders,
  attachmentProvider,
  {
    provide: TokenStore,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, { encryptionKey }: AppConfig) =>
      new SealedTokens(
        new ExecutionTokenStore(dataSource),
        encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey)),
      ),
  },
  {
    provide: BackgroundReleases,
    inject: [WORKER_CONFIG, LOGGER],
    useFactory: (config: AppConfig, logger: Logger) =>
      new BackgroundReleases({
        leaseMs: config.execution.leaseMs,
        clock: systemClock,
        wait: (ms) => pause(systemTimers, ms),
        judgeStorageError: judgeDatabaseError,
        onError: warnRarely(logger, 'execution not released'),
      }),
  },
  {
    provide: ExecutionEndings,
    // An isolated attempt, and a worker that sends no webhooks, leave them to others; the former has no queue either.
    inject: [
      WORKER_CONFIG,
      { token: BornDeliveries, optional: true },
      { token: PacedTrigger, optional: true },
      { token: JobDispatchers, optional: true },
    ],
    useFactory: (
      { execution, titles }: AppConfig,
      births?: BornDeliveries,
      dispatch?: PacedTrigger,
      jobs?: JobDispatchers,
    ) =>
      new ExecutionEndings(
        (manager, change, claim) => domains.applyStagedChange(manager, change, claim),
        execution.approvalTimeoutMs,
        births,
        ({ request }) => (titles === 'input' ? titleFromInput(request.input) : null),
        () => dispatch?.trigger(),
        () => jobs?.trigger('extract-memories'),
      ),
  },
  {
    provide: ExecutionWrites,
    inject: [DataSource, ExecutionEndings],
    useFactory: (dataSource: DataSource, endings: ExecutionEndings) =>
      new ExecutionWrites(dataSource, endings),
  },
  {
    provide: ATTEMPT_DEPENDENCIES,
    inject: [
      DataSource,
      ExecutionWrites,
      ToolSource,
      Retriever,
      AttachmentReader,
      LeaseHolder,
      BackgroundReleases,
      EventStream,
      ExecutionMeter,
      WORKER_CONFIG,
      LOGGER,
      // An isolated attempt has no queue: the title of its session is found by the housekeeping.
      { token: JobDispatchers, optional: true },
    ],
    useFactory: (
      dataSource: DataSource,
      writes: ExecutionWrites,
      tools: ToolSource,
      retriever: Retriever,
      attachments: AttachmentReader,
      leases: LeaseHolder,
      backgroundReleases: BackgroundReleases,
      events: EventStream,
      meter: ExecutionMeter,
      config: AppConfig,
      logger: Logger,
      jobs?: JobDispatchers,
    ): AttemptDependencies => {
      const files = new SessionFiles(config.filesRoot);
      const pacing = { timers: systemTimers, random: () => Math.random() };
      return {
        leases,
        backgroundReleases,
        events,
        meter,
        logger,
        files,
        attachments,
        attachedRoom: new AttachedRoom(config.files?.mostAttachedBytes ?? Infinity),
        tools,
        claims: new ExecutionClaimStore(dataSource),
        contexts: new ExecutionContextStore(dataSource),
        journalOf: (claim, patience, clock, known) =>
          new PostgresJournal(writes, claim, clock, patience, known),
        invokerOf: (claim, parts) =>
          new CatalogueToolInvoker(claim, parts, { files, logger, sha256, ...pacing }),
        toolSearch: { mostListed: config.execution.mostListedTools, indexTools },
        compileSchema: compileForeignSchema,
        usecases: new AgentUsecaseFactory(retriever, sha256),
        models: modelFactory(config, logger),
        judgeStorageError: judgeDatabaseError,
        sha256,
        clock: systemClock,
        onTitlePending: (executionId) => jobs?.announce('generate-title', executionId),
        ...pacing,
        messageData: domains.messageData,
        lookUps: domains.lookUps({ manager: dataSource.manager }),
        patienceMs: config.execution.leaseMs,
      };
    },
  },
];

function modelFactory(config: AppConfig, logger: Logger): ProviderModelFactory {
  const audit = new AuditLog({
    enabled: config.models.isAudited,
    write: (line) => {
      logger.info(line);
    },
  });
  const secrets = config.encryptionKey === null ? null : new SecretBox(parseKeyring(config.encryptionKey));
  return new ProviderModelFactory(config.models, secrets, modelProviders, { audit, hosts: new ModelHosts() });
}
