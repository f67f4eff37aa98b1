import { Module } from '@nestjs/common';
import { DescriptionReader } from '#libs/tool-sources';
import { ToolServerChangesController, ToolServersController } from './mcp-servers.controller.js';
import { ToolServersService } from './mcp-servers.service.js';
import { ServerConfigKeeper } from './server-config-keeper.js';

@Module({
  controllers: [ToolServersController, ToolServerChangesController],
  providers: [DescriptionReader, ServerConfigKeeper, ToolServersService],
})
export class ToolServersModule {}
