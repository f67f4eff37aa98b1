import { createHash } from 'node:crypto';
import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Put,
  Query,
  Req,
  Res,
  StreamableFile,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WorkspaceFileView } from '#libs/persistence';
import { WORKSPACE_LIMITS, type ExpectedFile } from '#libs/tooling';
import { Access, Tenant } from '../http/access.js';
import { attachmentNamed } from '../http/attachment.js';
import { contentTag, ExpectedContents } from '../http/content-tag.js';
import { Answers, OptionalHeader, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { ChangesIfMatch } from '../http/entity-tag.js';
import { isForm, TakesForm } from '../http/multipart/form-body.js';
import { Operation } from '../http/operation.js';
import type { Page } from '../http/page.js';
import {
  FILE_FORM,
  FILE_FORM_EXAMPLE,
  SessionFileDto,
  SessionFileListQuery,
  SessionFilePageDto,
  SessionFileParams,
  SessionFilesParams,
} from './session-files.dto.js';
import { SessionFilesService } from './session-files.service.js';

const { fileBytes, files, totalBytes } = WORKSPACE_LIMITS;
const TAGGED = {
  ETag: {
    description: 'SHA-256 of the bytes in hexadecimal; send it as `If-Match` to change only these.',
    schema: { type: 'string' as const },
  },
};
const BYTES = {
  'application/octet-stream': {
    schema: { type: 'string' as const, format: 'binary' },
    example: 'month,sum\nMay,310',
  },
};

/** Files in the workspace of a conversation, which agents read and write with the tools of the workspace. */
@ApiTags('sessions')
@Controller('api/sessions/:uuid/files')
export class SessionFilesController {
  constructor(private readonly files: SessionFilesService) {}

  @Get()
  @Access('executions:read')
  @Operation(
    'listSessionFiles',
    'List the files of a session',
    'Files that clients and tools have written, by path. Files that tool servers put on the disk of workers are not listed.',
  )
  @Answers(200, SessionFilePageDto, 'One page of files.')
  @Problems(400, 404)
  list(
    @Tenant() tenantId: string,
    @Param() { uuid: sessionId }: SessionFilesParams,
    @Query() query: SessionFileListQuery,
  ): Promise<Page<WorkspaceFileView>> {
    return this.files.list({ tenantId, sessionId }, query);
  }

  @Get(':path')
  @Access('executions:read')
  @Header('Cache-Control', 'private, no-cache')
  @Operation(
    'downloadSessionFile',
    'Download a file of a session',
    'Byte for byte, as an attachment; browsers do not display it. The `ETag` is the SHA-256 of its bytes; send it as `If-Match` to change only these.',
  )
  @ApiResponse({ status: 200, description: 'Its bytes.', content: BYTES, headers: TAGGED })
  @Problems(400, 404)
  async download(
    @Tenant() tenantId: string,
    @Param() { uuid: sessionId, path }: SessionFileParams,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const bytes = await this.files.read({ tenantId, sessionId }, path);
    void reply.header('ETag', contentTag(createHash('sha256').update(bytes).digest('hex')));
    return new StreamableFile(bytes, {
      type: 'application/octet-stream',
      disposition: attachmentNamed(path.split('/').at(-1) ?? path),
      length: bytes.byteLength,
    });
  }

  @Put(':path')
  @Access('executions:write', { takesForms: true })
  @Operation(
    'putSessionFile',
    'Write a file of a session',
    `Replaces the file of this path as a whole. At most ${fileBytes} bytes; a session has at most ${files} files, with ${totalBytes} bytes together, and a tenant \`WORKSPACE_BYTES_PER_TENANT\` bytes in all sessions. A running execution sees the change at its next call of a tool.`,
  )
  @TakesForm(FILE_FORM, FILE_FORM_EXAMPLE)
  @Answers(200, SessionFileDto, 'The file, which was there before.', TAGGED)
  @ApiResponse({ status: 201, type: SessionFileDto.Output, description: 'The new file.', headers: TAGGED })
  @ChangesIfMatch()
  @OptionalHeader(
    'If-None-Match',
    '`*` writes a new file only: the answer is 412 where there is one of this path. No other value, and not beside `If-Match`.',
  )
  @ProblemsOfBody(404)
  async put(
    @Tenant() tenantId: string,
    @Param() { uuid: sessionId, path }: SessionFileParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @ExpectedContents() expected: ExpectedFile,
  ): Promise<WorkspaceFileView> {
    if (!isForm(request)) throw new UnsupportedMediaTypeException();
    const { file, isNew } = await this.files.put({ tenantId, sessionId }, path, request.raw, expected);
    if (isNew) void reply.status(201);
    void reply.header('ETag', contentTag(file.sha256));
    return file;
  }

  @Delete(':path')
  @Access('executions:write')
  @HttpCode(204)
  @Operation('deleteSessionFile', 'Delete a file of a session', 'Takes effect at once.')
  @ApiResponse({ status: 204, description: 'The file is gone.' })
  @ChangesIfMatch()
  @Problems(400, 404)
  remove(
    @Tenant() tenantId: string,
    @Param() { uuid: sessionId, path }: SessionFileParams,
    @ExpectedContents() expected: ExpectedFile,
  ): Promise<void> {
    return this.files.delete({ tenantId, sessionId }, path, expected);
  }
}
