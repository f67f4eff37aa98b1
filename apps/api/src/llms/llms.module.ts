import { Module } from '@nestjs/common';
import { ModelsModule } from '../models/models.module.js';
import { StrategiesModule } from '../strategies/strategies.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { CredentialKeeper } from './credential-keeper.js';
import { CheckExtra } from './llms.checks.js';
import { LlmChangesController, LlmsController } from './llms.controller.js';
import { LlmsService } from './llms.service.js';
import { ValidateLlm } from './validate-llm.js';

@Module({
  imports: [ModelsModule, StrategiesModule, ToolsModule],
  controllers: [LlmsController, LlmChangesController],
  providers: [CheckExtra, CredentialKeeper, LlmsService, ValidateLlm],
})
export class LlmsModule {}
