import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ChatMessageView, LogMessageView, SessionView } from '#libs/persistence';
import { Answers, Problems } from '../http/describe-answers.js';
import type { Page } from '../http/page.js';
import { Access, Tenant } from '../http/access.js';
import { SessionsCommands } from './sessions.commands.js';
import {
  AgentSessionParams,
  MessageListQuery,
  MessageLogPageDto,
  MessageLogQuery,
  MessagePageDto,
  SessionDto,
  SessionListQuery,
  SessionPageDto,
  SessionParams,
} from './sessions.dto.js';
import { SessionsQueries } from './sessions.queries.js';

/** Reading conversations. */
@ApiTags('sessions')
@Controller('api')
@Access('executions:read')
export class SessionsController {
  constructor(private readonly queries: SessionsQueries) {}

  @Get('sessions')
  @ApiOperation({ summary: 'List sessions, newest first' })
  @Answers(200, SessionPageDto, 'One page of sessions.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: SessionListQuery): Promise<Page<SessionView>> {
    return this.queries.list(tenantId, query);
  }

  @Get('sessions/:uuid')
  @ApiOperation({ summary: 'Read a session' })
  @Answers(200, SessionDto, 'The session.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<SessionView> {
    return this.queries.find(tenantId, uuid);
  }

  @Get('sessions/:uuid/messages')
  @ApiOperation({ summary: 'List the messages of a session, oldest first' })
  @Answers(200, MessagePageDto, 'One page of messages.')
  @Problems(400, 404)
  messages(
    @Tenant() tenantId: string,
    @Param() { uuid: sessionId }: SessionParams,
    @Query() query: MessageListQuery,
  ): Promise<Page<ChatMessageView>> {
    return this.queries.listMessages({ tenantId, sessionId }, query);
  }

  @Get('sessions/:uuid/log')
  @Access('audit:read')
  @ApiOperation({
    summary: 'Read the log of a session: every message, call and result of its ended executions',
  })
  @Answers(200, MessageLogPageDto, 'One page of the log.')
  @Problems(400, 404)
  log(
    @Tenant() tenantId: string,
    @Param() { uuid }: SessionParams,
    @Query() query: MessageLogQuery,
  ): Promise<Page<LogMessageView>> {
    return this.queries.listLog(tenantId, uuid, query);
  }

  @Get('agents/:id/sessions/:uuid/messages')
  @ApiOperation({ summary: 'List the messages of a session of this agent, oldest first' })
  @Answers(200, MessagePageDto, 'One page of messages.')
  @Problems(400, 404)
  messagesOfAgent(
    @Tenant() tenantId: string,
    @Param() { id: agentId, uuid: sessionId }: AgentSessionParams,
    @Query() query: MessageListQuery,
  ): Promise<Page<ChatMessageView>> {
    return this.queries.listMessages({ tenantId, sessionId, agentId }, query);
  }
}

/** Changing conversations as a whole; repeating a change does no harm. */
@ApiTags('sessions')
@Controller('api/sessions/:uuid')
@Access('sessions:write')
export class SessionChangesController {
  constructor(private readonly commands: SessionsCommands) {}

  @Post('archive')
  @ApiOperation({ summary: 'Archive a session: it takes no executions any more' })
  @Answers(200, SessionDto, 'The archived session.')
  @Problems(400, 404)
  archive(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<SessionView> {
    return this.commands.setArchived(tenantId, uuid, true);
  }

  @Post('unarchive')
  @ApiOperation({ summary: 'Take a session out of the archive' })
  @Answers(200, SessionDto, 'The session, which takes executions again.')
  @Problems(400, 404)
  unarchive(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<SessionView> {
    return this.commands.setArchived(tenantId, uuid, false);
  }

  @Post('reset')
  @ApiOperation({ summary: 'Let the next execution of a session begin afresh, without its earlier messages' })
  @Answers(200, SessionDto, 'The session, its `session_id` null.')
  @Problems(400, 404)
  reset(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<SessionView> {
    return this.commands.reset(tenantId, uuid);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a session with everything that belongs to it' })
  @ApiResponse({ status: 204, description: 'It is gone.' })
  @Problems(400, 404, 409)
  async delete(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<void> {
    await this.commands.delete(tenantId, uuid);
  }
}
