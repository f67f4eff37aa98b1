import { Inject, Injectable, Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { BackgroundReleases, Retriever } from '#libs/executions';
import { pause, systemClock, systemTimers } from '#libs/kernel';
import { warnRarely, type Logger } from '#libs/observability';
import { ExecutionEndings, ExecutionWrites, classifyDatabaseError, SkillStore } from '#libs/persistence';
import {
  AgentTools,
  BuiltinTools,
  CombinedToolSource,
  KnowledgeTools,
  SkillTools,
  TenantServers,
} from '#libs/tool-sources';
import { ToolSource } from '#libs/tooling';
import { AttachmentsModule } from '../attachments/attachments.module.js';
import { ModelsModule } from '../models/models.module.js';
import { RetrievalModule } from '../retrieve/retrieval.module.js';
import { ToolServersModule } from '../tool-servers/tool-servers.module.js';
import { ATTEMPT_DEPENDENCIES, LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { WorkspaceModule } from '../workspace/workspace.module.js';
import { AttemptParts } from './attempt-parts.js';
import { AttemptEndings, AttemptWrites } from './attempt-writes.js';

/** Combines the tools of all sources. */
@Injectable()
class AttemptTools extends CombinedToolSource {
  constructor(builtin: BuiltinTools, skills: SkillStore, retriever: Retriever, servers: TenantServers) {
    super([builtin, new AgentTools(), new SkillTools(skills), new KnowledgeTools(retriever), servers]);
  }
}

@Injectable()
class AttemptReleases extends BackgroundReleases {
  constructor(@Inject(WORKER_CONFIG) { execution }: AppConfig, @Inject(LOGGER) logger: Logger) {
    super({
      leaseMs: execution.leaseMs,
      clock: systemClock,
      wait: (ms) => pause(systemTimers, ms),
      classifyStorageError: classifyDatabaseError,
      onError: warnRarely(logger, 'execution not released'),
    });
  }
}

/**
 * Dependencies of one attempt, in a worker or an isolated process. `LeaseHolder` and `ExecutionMeter` differ between
 * these and come from a global module.
 */
@Module({
  imports: [AttachmentsModule, ModelsModule, RetrievalModule, ToolServersModule, WorkspaceModule],
  providers: [
    { provide: ToolSource, useClass: AttemptTools },
    { provide: BackgroundReleases, useClass: AttemptReleases },
    { provide: ExecutionEndings, useClass: AttemptEndings },
    { provide: ExecutionWrites, useClass: AttemptWrites },
    { provide: ATTEMPT_DEPENDENCIES, useClass: AttemptParts },
  ],
  exports: [ATTEMPT_DEPENDENCIES, BackgroundReleases],
})
export class AttemptModule {}
