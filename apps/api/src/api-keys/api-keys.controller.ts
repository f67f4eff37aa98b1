import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ApiKeyView } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import type { Page } from '../http/page.js';
import { AnswersMade } from '../http/location.js';
import { Access, Caller, type Principal } from '../http/access.js';
import { ShowsSecret } from '../idempotency/route-keys.js';
import { ApiKeysService, type ApiKeyWithSecret } from './api-keys.service.js';
import {
  ApiKeyDto,
  ApiKeyIdParams,
  ApiKeyListQuery,
  ApiKeyPageDto,
  ApiKeyRotationDto,
  ApiKeyWithSecretDto,
  NewApiKeyDto,
} from './api-keys.dto.js';

const COLLECTION = '/api/api-keys/';

/** Manages the API keys of all tenants. */
@ApiTags('API keys')
@Controller('api/api-keys')
@Access('admin')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @Operation(
    'listApiKeys',
    'List API keys',
    'The keys of all tenants, newest first, expired and revoked ones included. No secret is shown.',
  )
  @Answers(200, ApiKeyPageDto, 'One page of keys, newest first, expired and revoked ones included.')
  @Problems(400)
  list(@Query() query: ApiKeyListQuery): Promise<Page<ApiKeyView>> {
    return this.apiKeys.list(query);
  }

  @Post()
  @ShowsSecret()
  @Operation(
    'createApiKey',
    'Create an API key',
    'The scopes must be a subset of those of the requesting key. The answer shows the new key once.',
  )
  @AnswersMade(ApiKeyWithSecretDto, COLLECTION, 'The new key.')
  @ProblemsOfBody()
  create(@Caller() caller: Principal, @Body() fields: NewApiKeyDto): Promise<ApiKeyWithSecret> {
    return this.apiKeys.create(caller, fields);
  }

  @Get(':id')
  @Operation('getApiKey', 'Read an API key', 'Its status, scopes and last use; never the key itself.')
  @Answers(200, ApiKeyDto, 'The key.')
  @Problems(400, 404)
  find(@Param() { id }: ApiKeyIdParams): Promise<ApiKeyView> {
    return this.apiKeys.find(id);
  }

  @Post(':id/rotate')
  @ShowsSecret()
  @Operation(
    'rotateApiKey',
    'Replace an API key',
    'Both keys are valid for `overlap_seconds`. The answer shows the new one once.',
  )
  @AnswersMade(
    ApiKeyWithSecretDto,
    COLLECTION,
    'The new key, with tenant, name, scopes and lifetime of the old one.',
  )
  @ProblemsOfBody(404, 409)
  rotate(
    @Caller() caller: Principal,
    @Param() { id }: ApiKeyIdParams,
    @Body() options: ApiKeyRotationDto,
  ): Promise<ApiKeyWithSecret> {
    return this.apiKeys.rotate(caller, id, options);
  }

  @Post(':id/revoke')
  @Operation(
    'revokeApiKey',
    'Revoke an API key',
    'Permanent, and in force everywhere at once. Open requests and sessions of the key are closed within 5 seconds.',
  )
  @Answers(200, ApiKeyDto, 'The key as it is now.')
  @Problems(400, 404, 409)
  revoke(@Param() { id }: ApiKeyIdParams): Promise<ApiKeyView> {
    return this.apiKeys.revoke(id);
  }
}
