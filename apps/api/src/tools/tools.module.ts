import { Module } from '@nestjs/common';
import { WorkspaceFileStore } from '#libs/persistence';
import { BuiltinTools, workspaceTools } from '#libs/tool-sources';
import { ToolCatalogue } from '#libs/tooling';
import { DataSource } from 'typeorm';
import { domains } from '../domains.js';
import { ToolsController } from './tools.controller.js';
import { ToolsService } from './tools.service.js';
import { TryTools } from './try-tools.js';

/** Catalogue of tools for agents: workers run tools, the API only reads their names and schemas. */
@Module({
  controllers: [ToolsController],
  providers: [
    {
      provide: ToolCatalogue,
      inject: [DataSource, WorkspaceFileStore],
      useFactory: ({ manager }: DataSource, files: WorkspaceFileStore) =>
        new BuiltinTools([...domains.tools({ manager }), ...workspaceTools(files)]).catalogue,
    },
    ToolsService,
    TryTools,
  ],
  exports: [ToolCatalogue],
})
export class ToolsModule {}
