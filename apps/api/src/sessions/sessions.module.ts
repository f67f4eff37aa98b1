import { Module } from '@nestjs/common';
import { SessionsController, SessionChangesController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';

@Module({
  controllers: [SessionsController, SessionChangesController],
  providers: [SessionsService],
})
export class SessionsModule {}
