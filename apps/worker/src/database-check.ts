import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { checkDatabaseAtStart } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { LOGGER, WORKER_CONFIG } from './worker.tokens.js';

/** Refuses to start on an unusable database. */
@Injectable()
export class DatabaseCheck implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(WORKER_CONFIG) private readonly config: AppConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    await checkDatabaseAtStart(this.dataSource, this.config.database, this.logger);
  }
}
