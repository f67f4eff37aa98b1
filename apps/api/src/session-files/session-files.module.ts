import { Module } from '@nestjs/common';
import { SessionFilesController } from './session-files.controller.js';
import { SessionFilesService } from './session-files.service.js';

@Module({ controllers: [SessionFilesController], providers: [SessionFilesService] })
export class SessionFilesModule {}
