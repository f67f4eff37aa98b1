import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ConnectionView } from '#libs/persistence';
import { Access, Tenant } from '../http/access.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersMade } from '../http/location.js';
import { Operation } from '../http/operation.js';
import type { Page } from '../http/page.js';
import { ShowsSecret } from '../idempotency/route-keys.js';
import { ConnectionsService } from './connections.service.js';
import {
  BegunConnectionDto,
  ConnectionAnswerDto,
  ConnectionDto,
  ConnectionIdParams,
  ConnectionListQuery,
  ConnectionPageDto,
  NewConnectionDto,
  type BegunConnection,
} from './connections.dto.js';

/** Manages connections: a user's OAuth consent to the use of a tool server on their behalf. */
@ApiTags('connections')
@Controller('api/connections')
@Access('connections:write')
export class ConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  @Post()
  @ShowsSecret()
  @Operation(
    'createConnection',
    'Start a connection',
    'Returns the URL to open in the user’s browser. A user has one connection per server: starting again reconnects it, and the earlier consent stays in use until then.',
  )
  @AnswersMade(
    BegunConnectionDto,
    '/api/connections/',
    'The connection, and the URL to open in the user’s browser.',
  )
  @ProblemsOfBody(422)
  begin(@Tenant() tenantId: string, @Body() given: NewConnectionDto): Promise<BegunConnection> {
    return this.connections.begin(tenantId, given);
  }

  @Post('callback')
  @Operation(
    'completeConnection',
    'Complete a connection',
    'The page at the `redirect_uri` sends its query parameters here, after checking that the browser belongs to the user who started the connection.',
  )
  @Answers(200, ConnectionDto, 'The connection, in use from now on.')
  @ProblemsOfBody(404, 422)
  complete(@Tenant() tenantId: string, @Body() answer: ConnectionAnswerDto): Promise<ConnectionView> {
    return this.connections.complete(tenantId, answer);
  }

  @Get()
  @Operation('listConnections', 'List connections', 'Newest first, without any token.')
  @Answers(200, ConnectionPageDto, 'One page of connections.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: ConnectionListQuery): Promise<Page<ConnectionView>> {
    return this.connections.list(tenantId, query);
  }

  @Get(':id')
  @Operation('getConnection', 'Read a connection', 'Without any token.')
  @Answers(200, ConnectionDto, 'The connection.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: ConnectionIdParams): Promise<ConnectionView> {
    return this.connections.find(tenantId, id);
  }

  @Post(':id/revoke')
  @Operation(
    'revokeConnection',
    'Revoke a connection',
    'Calls stop using it; its tokens are revoked at the authorization server if it supports that. Repeating the request changes nothing.',
  )
  @Answers(200, ConnectionDto, 'The revoked connection.')
  @Problems(400, 404)
  revoke(@Tenant() tenantId: string, @Param() { id }: ConnectionIdParams): Promise<ConnectionView> {
    return this.connections.revoke(tenantId, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation('deleteConnection', 'Delete a connection', 'Revokes the connection first.')
  @ApiResponse({ status: 204, description: 'The connection is gone.' })
  @Problems(400, 404)
  remove(@Tenant() tenantId: string, @Param() { id }: ConnectionIdParams): Promise<void> {
    return this.connections.delete(tenantId, id);
  }
}
