import { Readable } from 'node:stream';
import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
  StreamableFile,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExpectedVersions, FileView, Versioned } from '#libs/persistence';
import { Access, Tenant } from '../http/access.js';
import { attachmentNamed } from '../http/attachment.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { isForm, TakesForm } from '../http/multipart/form-body.js';
import { Operation } from '../http/operation.js';
import type { Page } from '../http/page.js';
import { KeepsOwnKeys } from '../idempotency/route-keys.js';
import { readUploadKey, sayReplayed } from '../uploads/repeatable-upload.js';
import { FilesService } from './files.service.js';
import {
  FileDto,
  FileIdParams,
  FileListQuery,
  FilePageDto,
  UPLOAD_EXAMPLE,
  UPLOAD_FORM,
} from './files.dto.js';

const BYTES = {
  'application/octet-stream': {
    schema: { type: 'string' as const, format: 'binary' },
    example: 'Dear Sir or Madam',
  },
};

/** Manages uploaded files, which clients attach to executions. */
@ApiTags('files')
@Controller('api/files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Get()
  @Access('executions:read')
  @Operation('listFiles', 'List files', 'Oldest first.')
  @Answers(200, FilePageDto, 'One page of files.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: FileListQuery): Promise<Page<FileView>> {
    return this.files.list(tenantId, query);
  }

  @Post()
  @Access('executions:write', { takesForms: true })
  @Operation(
    'uploadFile',
    'Upload a file',
    'Stores a file that executions can attach by its id. Its type is detected from its bytes. It is deleted when it expires.',
  )
  @TakesForm(UPLOAD_FORM, UPLOAD_EXAMPLE)
  @KeepsOwnKeys()
  @AnswersMadeVersioned(FileDto, '/api/files/', 'The new file.')
  @ProblemsOfBody(422)
  async upload(
    @Tenant() tenantId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Versioned<FileView>> {
    if (!isForm(request)) throw new UnsupportedMediaTypeException();
    return sayReplayed(await this.files.upload(tenantId, request.raw, readUploadKey(request)), reply);
  }

  @Get(':id')
  @Access('executions:read')
  @Operation('getFile', 'Read a file', 'A file never changes; neither does its `ETag`.')
  @AnswersVersioned(200, FileDto, 'The file.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: FileIdParams): Promise<Versioned<FileView>> {
    return this.files.find(tenantId, id);
  }

  @Delete(':id')
  @Access('executions:write')
  @HttpCode(204)
  @Operation(
    'deleteFile',
    'Delete a file',
    'Takes effect at once: new requests cannot use it. Executions accepted before can still read it; its bytes are removed after the last of them.',
  )
  @ApiResponse({ status: 204, description: 'The file is gone.' })
  @ChangesIfMatch()
  @Problems(400, 404)
  remove(
    @Tenant() tenantId: string,
    @Param() { id }: FileIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.files.delete(tenantId, id, expected);
  }

  @Get(':id/content')
  @Access('executions:read')
  @Header('Cache-Control', 'private, no-cache')
  @Operation(
    'downloadFile',
    'Download a file',
    'Byte for byte, as an attachment; browsers do not display it.',
  )
  @ApiResponse({ status: 200, description: 'Its bytes.', content: BYTES })
  @Problems(400, 404, 422)
  async download(@Tenant() tenantId: string, @Param() { id }: FileIdParams): Promise<StreamableFile> {
    const { bytes, file } = await this.files.open(tenantId, id);
    return new StreamableFile(Readable.from(bytes, { objectMode: false }), {
      type: 'application/octet-stream',
      disposition: attachmentNamed(file.name),
      length: file.size_bytes,
    });
  }
}
