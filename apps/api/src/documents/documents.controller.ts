import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { DocumentView, ExpectedVersions, Versioned } from '#libs/persistence';
import { Access, Tenant } from '../http/access.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { isForm, TakesForm } from '../http/multipart/form-body.js';
import { Operation } from '../http/operation.js';
import type { Page } from '../http/page.js';
import { parseRequestPart } from '../http/request-validation.js';
import { DocumentsCommands } from './documents.commands.js';
import {
  DOCUMENT_FORM_EXAMPLE,
  documentForm,
  documentFormFields,
  DocumentDto,
  DocumentGivenDto,
  DocumentIdParams,
  DocumentListQuery,
  DocumentPageDto,
} from './documents.dto.js';
import { DocumentsQueries } from './documents.queries.js';
import { GivenDocuments, type GivenDocument } from './given-documents.js';

/** What agents look answers up in. */
@ApiTags('documents')
@Controller('api/documents')
export class DocumentsController {
  constructor(
    private readonly queries: DocumentsQueries,
    private readonly commands: DocumentsCommands,
    private readonly givenDocuments: GivenDocuments,
  ) {}

  @Get()
  @Access('agents:read')
  @Operation('listDocuments', 'List documents', 'Oldest first, each with how far it has come.')
  @Answers(200, DocumentPageDto, 'One page of documents.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: DocumentListQuery): Promise<Page<DocumentView>> {
    return this.queries.list(tenantId, query);
  }

  @Post()
  @Access('agents:write', { takesForms: true })
  @Operation(
    'createDocument',
    'Give a document',
    'As a file of a form, as a text, or as a URL that a worker fetches. It is taken in afterwards, by a worker: `state` says how far that has come.',
  )
  @ApiBody({ type: DocumentGivenDto })
  @TakesForm(documentForm, DOCUMENT_FORM_EXAMPLE)
  @AnswersMadeVersioned(DocumentDto, '/api/documents/', 'The new document.')
  @ProblemsOfBody(422)
  async create(@Tenant() tenantId: string, @Req() request: FastifyRequest): Promise<Versioned<DocumentView>> {
    const given = isForm(request)
      ? await this.readForm(tenantId, request)
      : await this.readJson(tenantId, request.body);
    return this.commands.create(tenantId, given);
  }

  @Get(':id')
  @Access('agents:read')
  @Operation(
    'getDocument',
    'Read a document',
    'With how far it has come, and why it is `failed`. The `ETag` names its version: give it as `If-Match` to change just that one.',
  )
  @AnswersVersioned(200, DocumentDto, 'The document.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: DocumentIdParams): Promise<Versioned<DocumentView>> {
    return this.queries.find(tenantId, id);
  }

  @Delete(':id')
  @Access('agents:write')
  @HttpCode(204)
  @Operation(
    'deleteDocument',
    'Delete a document',
    'At once, also while it is taken in: nothing of it is found any more. Its file follows within seconds.',
  )
  @ApiResponse({ status: 204, description: 'The document is gone.' })
  @ChangesIfMatch()
  @Problems(400, 404)
  remove(
    @Tenant() tenantId: string,
    @Param() { id }: DocumentIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.commands.delete(tenantId, id, expected);
  }

  private async readForm(tenantId: string, { raw }: FastifyRequest): Promise<NewlyGiven> {
    const { fields, given } = await this.givenDocuments.readForm(tenantId, raw);
    try {
      const { datasource_id: datasourceId, title } = parseRequestPart(documentFormFields, fields, 'body');
      return { datasourceId, title: title ?? null, given };
    } catch (error) {
      await this.givenDocuments.drop(given);
      throw error;
    }
  }

  private async readJson(tenantId: string, body: unknown): Promise<NewlyGiven> {
    const fields = parseRequestPart(DocumentGivenDto.schema, body ?? {}, 'body');
    const given = await this.givenDocuments.readJson(tenantId, fields);
    return { datasourceId: fields.datasource_id, title: fields.title ?? null, given };
  }
}

type NewlyGiven = GivenDocument & { readonly datasourceId: number };
