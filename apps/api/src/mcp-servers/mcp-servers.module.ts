import { Module } from '@nestjs/common';
import { ToolServersByName } from '../by-name/tool-servers-by-name.js';
import { ApplyByName } from '../by-name/apply-by-name.js';
import { ToolServerByNameController } from '../by-name/by-name.controller.js';
import { DescriptionReader } from '#libs/tool-sources';
import { ToolServerChangesController, ToolServersController } from './mcp-servers.controller.js';
import { ToolServersService } from './mcp-servers.service.js';
import { ServerConfigKeeper } from './server-config-keeper.js';

@Module({
  controllers: [ToolServersController, ToolServerChangesController, ToolServerByNameController],
  providers: [ApplyByName, ToolServersByName, DescriptionReader, ServerConfigKeeper, ToolServersService],
})
export class ToolServersModule {}
