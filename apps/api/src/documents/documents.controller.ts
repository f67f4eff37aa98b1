import { Readable } from 'node:stream';
import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { ApiBody, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChunkView, DocumentView, ExpectedVersions, Versioned } from '#libs/persistence';
import { Access, Tenant } from '../http/access.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import {
  AnswersLiveVersioned,
  AnswersVersioned,
  ChangesIfMatch,
  ExpectedVersion,
} from '../http/entity-tag.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { attachmentNamed } from '../http/attachment.js';
import { TakesForm } from '../http/multipart/form-body.js';
import { Operation } from '../http/operation.js';
import type { Page } from '../http/page.js';
import { KeepsOwnKeys } from '../idempotency/route-keys.js';
import { readUploadKey, sayReplayed } from '../uploads/repeatable-upload.js';
import { DocumentsService } from './documents.service.js';
import {
  CONTENT,
  CONTENT_FORM,
  CONTENT_FORM_EXAMPLE,
  DocumentChunkListQuery,
  DocumentChunkPageDto,
  DocumentContentDto,
  DocumentDto,
  DocumentGivenDto,
  GIVEN,
  GIVEN_FORM,
  GIVEN_FORM_EXAMPLE,
  DocumentIdParams,
  DocumentListQuery,
  DocumentPageDto,
} from './documents.dto.js';
import { GivenDocuments } from './given-documents.js';

const ORIGINAL = {
  'application/octet-stream': {
    schema: { type: 'string' as const, format: 'binary' },
    example: '# Handbook',
  },
};

/** Manages the documents that agents search. */
@ApiTags('documents')
@Controller('api/documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly givenDocuments: GivenDocuments,
  ) {}

  @Get()
  @Access('agents:read')
  @Operation('listDocuments', 'List documents', 'Oldest first, each with its state of ingestion.')
  @Answers(200, DocumentPageDto, 'One page of documents.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: DocumentListQuery): Promise<Page<DocumentView>> {
    return this.documents.list(tenantId, query);
  }

  @Post()
  @Access('agents:write', { takesForms: true })
  @Operation(
    'createDocument',
    'Create a document',
    'Send a file in a form, a text, or a URL that a worker fetches. A worker ingests it afterwards; `state` shows the progress.',
  )
  @ApiBody({ type: DocumentGivenDto })
  @TakesForm(GIVEN_FORM, GIVEN_FORM_EXAMPLE)
  @KeepsOwnKeys()
  @AnswersMadeVersioned(DocumentDto, '/api/documents/', 'The new document.')
  @ProblemsOfBody(422)
  async create(
    @Tenant() tenantId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Versioned<DocumentView>> {
    const key = readUploadKey(request);
    const given = await this.givenDocuments.take(tenantId, request, GIVEN);
    return sayReplayed(await this.documents.create(tenantId, given, key), reply);
  }

  @Get(':id')
  @Access('agents:read')
  @Operation(
    'getDocument',
    'Read a document',
    'Includes the state of ingestion, and the reason where it is `failed`. The `ETag` is its version; send it as `If-Match` to change only that version.',
  )
  @AnswersLiveVersioned(DocumentDto, 'The document.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: DocumentIdParams): Promise<Versioned<DocumentView>> {
    return this.documents.find(tenantId, id);
  }

  @Delete(':id')
  @Access('agents:write')
  @HttpCode(204)
  @Operation(
    'deleteDocument',
    'Delete a document',
    'Takes effect at once, also during ingestion: searches no longer find it. Its file is removed within seconds.',
  )
  @ApiResponse({ status: 204, description: 'The document is gone.' })
  @ChangesIfMatch()
  @Problems(400, 404)
  remove(
    @Tenant() tenantId: string,
    @Param() { id }: DocumentIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.documents.delete(tenantId, id, expected);
  }

  @Get(':id/content')
  @Access('agents:read')
  @Header('Cache-Control', 'private, no-cache')
  @Operation(
    'downloadDocument',
    'Download a document',
    'The newest original, byte for byte, as an attachment; browsers do not display it.',
  )
  @ApiResponse({ status: 200, description: 'Its original.', content: ORIGINAL })
  @Problems(400, 404, 422)
  async download(@Tenant() tenantId: string, @Param() { id }: DocumentIdParams): Promise<StreamableFile> {
    const { bytes, sizeBytes, name } = await this.documents.openOriginal(tenantId, id);
    return new StreamableFile(Readable.from(bytes, { objectMode: false }), {
      type: 'application/octet-stream',
      disposition: attachmentNamed(name),
      length: sizeBytes,
    });
  }

  @Put(':id/content')
  @Access('agents:write', { takesForms: true })
  @Operation(
    'replaceDocumentContent',
    'Replace the content of a document',
    'Send a file, a text or a URL. Creates a new generation; searches use the previous one until it is ready. Stops the ingestion of an unfinished generation.',
  )
  @ApiBody({ type: DocumentContentDto })
  @TakesForm(CONTENT_FORM, CONTENT_FORM_EXAMPLE)
  @ChangesIfMatch()
  @AnswersVersioned(200, DocumentDto, 'The document, waiting for a worker.')
  @ProblemsOfBody(404, 422)
  async replace(
    @Tenant() tenantId: string,
    @Param() { id }: DocumentIdParams,
    @Req() request: FastifyRequest,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<DocumentView>> {
    const given = await this.givenDocuments.take(tenantId, request, CONTENT);
    return this.documents.replace(tenantId, id, given, expected);
  }

  @Get(':id/chunks')
  @Access('agents:read')
  @Operation(
    'listDocumentChunks',
    'List the chunks of a document',
    'The chunks that searches use, in the order of the document; none until it is ready for the first time.',
  )
  @Answers(200, DocumentChunkPageDto, 'One page of chunks.')
  @Problems(400, 404)
  chunks(
    @Tenant() tenantId: string,
    @Param() { id }: DocumentIdParams,
    @Query() query: DocumentChunkListQuery,
  ): Promise<Page<ChunkView>> {
    return this.documents.listChunks(tenantId, id, query);
  }
}
