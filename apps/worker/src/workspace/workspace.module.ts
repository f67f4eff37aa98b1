import { Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { WorkspaceFileStore } from '#libs/persistence';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { SessionFiles } from './session-files.js';

/** Files of conversations. */
@Module({
  providers: [
    {
      provide: SessionFiles,
      inject: [WORKER_CONFIG, WorkspaceFileStore],
      useFactory: ({ filesRoot }: AppConfig, stored: WorkspaceFileStore) =>
        new SessionFiles(filesRoot, stored),
    },
  ],
  exports: [SessionFiles],
})
export class WorkspaceModule {}
