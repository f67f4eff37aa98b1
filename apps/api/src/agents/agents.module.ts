import { Module } from '@nestjs/common';
import { AgentsByName } from '../by-name/agents-by-name.js';
import { ApplyByName } from '../by-name/apply-by-name.js';
import { AgentByNameController } from '../by-name/by-name.controller.js';
import { ModelsModule } from '../models/models.module.js';
import { StrategiesModule } from '../strategies/strategies.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { CheckAgent } from './agents.checks.js';
import { AgentChangesController, AgentsController, AgentVersionsController } from './agents.controller.js';
import { AgentsService } from './agents.service.js';
import { PromptPreview } from './prompt-preview.js';

@Module({
  imports: [ModelsModule, StrategiesModule, ToolsModule],
  controllers: [AgentsController, AgentChangesController, AgentVersionsController, AgentByNameController],
  providers: [ApplyByName, AgentsByName, CheckAgent, AgentsService, PromptPreview],
})
export class AgentsModule {}
