import { Module } from '@nestjs/common';
import { UploadsModule } from '../uploads/uploads.module.js';
import { FileKeeper } from './file-keeper.js';
import { FilesController } from './files.controller.js';
import { FilesService } from './files.service.js';

@Module({
  imports: [UploadsModule],
  controllers: [FilesController],
  providers: [FileKeeper, FilesService],
})
export class FilesModule {}
