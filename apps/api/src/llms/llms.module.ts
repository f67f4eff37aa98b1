import { Module } from '@nestjs/common';
import { LlmsByName } from '../by-name/llms-by-name.js';
import { ApplyByName } from '../by-name/apply-by-name.js';
import { LlmByNameController } from '../by-name/by-name.controller.js';
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
  controllers: [LlmsController, LlmChangesController, LlmByNameController],
  providers: [ApplyByName, LlmsByName, CheckExtra, CredentialKeeper, LlmsService, ValidateLlm],
})
export class LlmsModule {}
