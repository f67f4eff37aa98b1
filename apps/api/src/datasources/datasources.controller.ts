import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions, DatasourceView, Versioned } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import {
  AnswersLiveVersioned,
  AnswersVersioned,
  ChangesIfMatch,
  ExpectedVersion,
} from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { Access, Tenant } from '../http/access.js';
import { ChangesNothing } from '../idempotency/route-keys.js';
import { DatasourcesService } from './datasources.service.js';
import {
  DatasourceDto,
  DatasourceFieldsDto,
  DatasourceIdParams,
  DatasourceListQuery,
  DatasourcePageDto,
  DatasourcePatchDto,
  DatasourceSearchAnswerDto,
  DatasourceSearchDto,
} from './datasources.dto.js';
import { SearchDatasource } from './search-datasource.js';

/** Manages datasources: documents searched together, with one embedding model. */
@ApiTags('datasources')
@Controller('api/datasources')
export class DatasourcesController {
  constructor(
    private readonly datasources: DatasourcesService,
    private readonly searchDatasource: SearchDatasource,
  ) {}

  @Get()
  @Access('agents:read')
  @Operation(
    'listDatasources',
    'List datasources',
    'Ordered by ascending id, each with its number of documents.',
  )
  @Answers(200, DatasourcePageDto, 'One page of datasources.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: DatasourceListQuery): Promise<Page<DatasourceView>> {
    return this.datasources.list(tenantId, query);
  }

  @Post()
  @Access('agents:write')
  @Operation(
    'createDatasource',
    'Create a datasource',
    'A datasource holds documents that are searched together and names the model that makes their vectors. The model is not called yet.',
  )
  @AnswersMadeVersioned(DatasourceDto, '/api/datasources/', 'The new datasource.')
  @ProblemsOfBody(409)
  create(
    @Tenant() tenantId: string,
    @Body() fields: DatasourceFieldsDto,
  ): Promise<Versioned<DatasourceView>> {
    return this.datasources.create(tenantId, fields);
  }

  @Get(':id')
  @Access('agents:read')
  @Operation(
    'getDatasource',
    'Read a datasource',
    'Includes the number of documents. The `ETag` is its version; send it as `If-Match` to change only that version.',
  )
  @AnswersLiveVersioned(DatasourceDto, 'The datasource.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: DatasourceIdParams): Promise<Versioned<DatasourceView>> {
    return this.datasources.find(tenantId, id);
  }

  @Put(':id')
  @Access('agents:write')
  @Operation(
    'replaceDatasource',
    'Replace a datasource',
    'Omitted fields get their defaults. The embedding model and its dimensions cannot change while there are documents.',
  )
  @ChangesIfMatch()
  @AnswersVersioned(200, DatasourceDto, 'The datasource as it is now.')
  @ProblemsOfBody(404, 409)
  replace(
    @Tenant() tenantId: string,
    @Param() { id }: DatasourceIdParams,
    @Body() fields: DatasourceFieldsDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<DatasourceView>> {
    return this.datasources.change(tenantId, id, fields, expected);
  }

  @Patch(':id')
  @Access('agents:write')
  @Operation(
    'updateDatasource',
    'Change some fields of a datasource',
    'Omitted fields stay as they are. The embedding model and its dimensions cannot change while there are documents; new chunk lengths apply to documents ingested from now on.',
  )
  @ChangesIfMatch()
  @AnswersVersioned(200, DatasourceDto, 'The datasource as it is now.')
  @ProblemsOfBody(404, 409)
  change(
    @Tenant() tenantId: string,
    @Param() { id }: DatasourceIdParams,
    @Body() fields: DatasourcePatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<DatasourceView>> {
    return this.datasources.change(tenantId, id, fields, expected);
  }

  @Delete(':id')
  @Access('agents:write')
  @HttpCode(204)
  @Operation('deleteDatasource', 'Delete a datasource', 'Refused while the datasource has documents.')
  @ApiResponse({ status: 204, description: 'The datasource is gone.' })
  @ChangesIfMatch()
  @Problems(400, 404, 409)
  remove(
    @Tenant() tenantId: string,
    @Param() { id }: DatasourceIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.datasources.delete(tenantId, id, expected);
  }

  @Post(':id/search')
  @ChangesNothing('It searches.')
  @Access('agents:write')
  @Operation(
    'searchDatasource',
    'Search a datasource',
    'Runs a search as agents do, on a worker. The vector of the question is an embedding call, counted in the usage of the tenant.',
  )
  @Answers(200, DatasourceSearchAnswerDto, 'The passages that were found, best first.')
  @ProblemsOfBody(404, 422)
  search(
    @Tenant() tenantId: string,
    @Param() { id }: DatasourceIdParams,
    @Body() search: DatasourceSearchDto,
  ): Promise<DatasourceSearchAnswerDto> {
    return this.searchDatasource.execute(tenantId, id, search);
  }
}
