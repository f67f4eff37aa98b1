import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions, TenantView, Versioned } from '#libs/persistence';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { Access } from '../http/access.js';
import { TenantsCommands } from './tenants.commands.js';
import {
  NewTenantDto,
  TenantDto,
  TenantListQuery,
  TenantPageDto,
  TenantParams,
  TenantPatchDto,
} from './tenants.dto.js';
import { TenantsQueries } from './tenants.queries.js';

/** The organisations that the service runs agents for; whoever has the scope sees all of them. */
@ApiTags('tenants')
@Controller('api/tenants')
@Access('admin')
export class TenantsController {
  constructor(
    private readonly queries: TenantsQueries,
    private readonly commands: TenantsCommands,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List tenants' })
  @Answers(200, TenantPageDto, 'One page of tenants by id, ascending.')
  @Problems(400)
  list(@Query() query: TenantListQuery): Promise<Page<TenantView>> {
    return this.queries.list(query);
  }

  @Post()
  @ApiOperation({ summary: 'Make a tenant' })
  @AnswersMadeVersioned(TenantDto, '/api/tenants/', 'The new tenant.')
  @ProblemsOfBody(409)
  create(@Body() fields: NewTenantDto): Promise<Versioned<TenantView>> {
    return this.commands.create(fields);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a tenant' })
  @AnswersVersioned(200, TenantDto, 'The tenant.')
  @Problems(400, 404)
  find(@Param() { id }: TenantParams): Promise<Versioned<TenantView>> {
    return this.queries.find(id);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change some fields of a tenant; `{"status": "inactive"}` stops it' })
  @ChangesIfMatch()
  @AnswersVersioned(200, TenantDto, 'The tenant as it is now.')
  @ProblemsOfBody(404)
  change(
    @Param() { id }: TenantParams,
    @Body() fields: TenantPatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<TenantView>> {
    return this.commands.change(id, fields, expected);
  }
}
