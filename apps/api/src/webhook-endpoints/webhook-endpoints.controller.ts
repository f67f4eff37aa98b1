import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { WebhookEndpointView } from '#libs/persistence';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import type { Page } from '../http/page.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { CreateWebhookEndpoint } from './create-webhook-endpoint.use-case.js';
import { FindWebhookEndpoint } from './find-webhook-endpoint.use-case.js';
import { ListWebhookEndpoints } from './list-webhook-endpoints.use-case.js';
import {
  NewWebhookEndpointDto,
  WebhookEndpointDto,
  WebhookEndpointIdParams,
  WebhookEndpointListQuery,
  WebhookEndpointPageDto,
  WebhookEndpointWithSecretDto,
} from './webhook-endpoint.dto.js';

/** Where a tenant wants to be notified of endings. */
@ApiTags('webhook endpoints')
@Controller('api/webhook-endpoints')
@Access('webhooks:write')
export class WebhookEndpointsController {
  constructor(
    private readonly createEndpoint: CreateWebhookEndpoint,
    private readonly listEndpoints: ListWebhookEndpoints,
    private readonly findEndpoint: FindWebhookEndpoint,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Register an endpoint; the answer shows its secret, once' })
  @Answers(201, WebhookEndpointWithSecretDto, 'The new endpoint with its secret.')
  @ProblemsOfBody(422)
  create(
    @Tenant() tenantId: string,
    @Body() endpoint: NewWebhookEndpointDto,
  ): Promise<WebhookEndpointView & { secret: string }> {
    return this.createEndpoint.execute(tenantId, endpoint);
  }

  @Get()
  @ApiOperation({ summary: 'List endpoints' })
  @Answers(200, WebhookEndpointPageDto, 'One page of endpoints.')
  @Problems(400)
  list(
    @Tenant() tenantId: string,
    @Query() query: WebhookEndpointListQuery,
  ): Promise<Page<WebhookEndpointView>> {
    return this.listEndpoints.execute(tenantId, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an endpoint' })
  @Answers(200, WebhookEndpointDto, 'The endpoint.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: WebhookEndpointIdParams): Promise<WebhookEndpointView> {
    return this.findEndpoint.execute(tenantId, id);
  }
}
