import { Module } from '@nestjs/common';
import { ModelsModule } from '../models/models.module.js';
import { StrategiesModule } from '../strategies/strategies.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { CheckAgent } from './agents.checks.js';
import { AgentChangesController, AgentsController, AgentVersionsController } from './agents.controller.js';
import { AgentsService } from './agents.service.js';
import { PromptPreview } from './prompt-preview.js';

@Module({
  imports: [ModelsModule, StrategiesModule, ToolsModule],
  controllers: [AgentsController, AgentChangesController, AgentVersionsController],
  providers: [CheckAgent, AgentsService, PromptPreview],
})
export class AgentsModule {}
