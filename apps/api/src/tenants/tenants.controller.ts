import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions, TenantView, Versioned } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { Access } from '../http/access.js';
import { TenantsService } from './tenants.service.js';
import {
  NewTenantDto,
  TenantDto,
  TenantListQuery,
  TenantPageDto,
  TenantParams,
  TenantPatchDto,
} from './tenants.dto.js';

/** Manages all tenants of the installation, for keys with the scope `admin`. */
@ApiTags('tenants')
@Controller('api/tenants')
@Access('admin')
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  @Get()
  @Operation('listTenants', 'List tenants', 'All tenants of this installation by id, ascending.')
  @Answers(200, TenantPageDto, 'One page of tenants by id, ascending.')
  @Problems(400)
  list(@Query() query: TenantListQuery): Promise<Page<TenantView>> {
    return this.tenants.list(query);
  }

  @Post()
  @Operation(
    'createTenant',
    'Create a tenant',
    'A tenant is an organisation with its own status, prompt, settings and limits. Other tenants cannot see its data.',
  )
  @AnswersMadeVersioned(TenantDto, '/api/tenants/', 'The new tenant.')
  @ProblemsOfBody(409)
  create(@Body() fields: NewTenantDto): Promise<Versioned<TenantView>> {
    return this.tenants.create(fields);
  }

  @Get(':id')
  @Operation(
    'getTenant',
    'Read a tenant',
    'The `ETag` is its version; send it as `If-Match` to change only that version.',
  )
  @AnswersVersioned(200, TenantDto, 'The tenant.')
  @Problems(400, 404)
  find(@Param() { id }: TenantParams): Promise<Versioned<TenantView>> {
    return this.tenants.find(id);
  }

  @Patch(':id')
  @Operation(
    'updateTenant',
    'Change some fields of a tenant',
    'Omitted fields stay as they are. `{"status": "inactive"}` stops the tenant.',
  )
  @ChangesIfMatch()
  @AnswersVersioned(200, TenantDto, 'The tenant as it is now.')
  @ProblemsOfBody(404)
  change(
    @Param() { id }: TenantParams,
    @Body() fields: TenantPatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<TenantView>> {
    return this.tenants.change(id, fields, expected);
  }
}
