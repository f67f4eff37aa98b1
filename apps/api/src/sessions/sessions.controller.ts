import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ChatMessageView, LogMessageView, SessionView, SummaryView } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import type { Page } from '../http/page.js';
import { Access, Tenant } from '../http/access.js';
import { SessionsService } from './sessions.service.js';
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
  SessionPatchDto,
  SessionSummaryDto,
} from './sessions.dto.js';

/** Reads conversations. */
@ApiTags('sessions')
@Controller('api')
@Access('executions:read')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('sessions')
  @Operation('listSessions', 'List sessions', 'Conversations, newest first unless `sort` says otherwise.')
  @Answers(200, SessionPageDto, 'One page of sessions.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: SessionListQuery): Promise<Page<SessionView>> {
    return this.sessions.list(tenantId, query);
  }

  @Get('sessions/:uuid')
  @Operation('getSession', 'Read a session', 'A conversation without its messages.')
  @Answers(200, SessionDto, 'The session.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<SessionView> {
    return this.sessions.find(tenantId, uuid);
  }

  @Get('sessions/:uuid/summary')
  @Operation(
    'getSessionSummary',
    'Read the summary of a session',
    'The text that the model of the next execution reads in place of the older messages, and the last message that it covers.',
  )
  @Answers(200, SessionSummaryDto, 'The summary; its `content` is null if there is none.')
  @Problems(400, 404)
  summary(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<SummaryView> {
    return this.sessions.findSummary(tenantId, uuid);
  }

  @Get('sessions/:uuid/messages')
  @Operation(
    'listSessionMessages',
    'List the messages of a session',
    'Oldest first, as the conversation shows them.',
  )
  @Answers(200, MessagePageDto, 'One page of messages.')
  @Problems(400, 404)
  messages(
    @Tenant() tenantId: string,
    @Param() { uuid: sessionId }: SessionParams,
    @Query() query: MessageListQuery,
  ): Promise<Page<ChatMessageView>> {
    return this.sessions.listMessages({ tenantId, sessionId }, query);
  }

  @Get('sessions/:uuid/log')
  @Access('audit:read')
  @Operation(
    'listSessionLog',
    'List the log of a session',
    'Every message, tool call and result of the executions of the session that have ended, oldest first.',
  )
  @Answers(200, MessageLogPageDto, 'One page of the log.')
  @Problems(400, 404)
  log(
    @Tenant() tenantId: string,
    @Param() { uuid }: SessionParams,
    @Query() query: MessageLogQuery,
  ): Promise<Page<LogMessageView>> {
    return this.sessions.listLog(tenantId, uuid, query);
  }

  @Get('agents/:id/sessions/:uuid/messages')
  @Operation(
    'listAgentSessionMessages',
    'List the messages of a session of an agent',
    'Oldest first. Answers 404 for a session of another agent.',
  )
  @Answers(200, MessagePageDto, 'One page of messages.')
  @Problems(400, 404)
  messagesOfAgent(
    @Tenant() tenantId: string,
    @Param() { id: agentId, uuid: sessionId }: AgentSessionParams,
    @Query() query: MessageListQuery,
  ): Promise<Page<ChatMessageView>> {
    return this.sessions.listMessages({ tenantId, sessionId, agentId }, query);
  }
}

/** Changes whole conversations; repeating a change has no effect. */
@ApiTags('sessions')
@Controller('api/sessions/:uuid')
@Access('sessions:write')
export class SessionChangesController {
  constructor(private readonly sessions: SessionsService) {}

  @Patch()
  @Operation(
    'updateSession',
    'Change the title or the metadata of a session',
    'Fields that are left out stay. A title takes the place of any other, and of one that is being generated; none is generated later. Metadata take the place of all pairs of the session.',
  )
  @Answers(200, SessionDto, 'The session as changed.')
  @ProblemsOfBody(404)
  patch(
    @Tenant() tenantId: string,
    @Param() { uuid }: SessionParams,
    @Body() fields: SessionPatchDto,
  ): Promise<SessionView> {
    return this.sessions.update(tenantId, uuid, fields);
  }

  @Post('archive')
  @Operation(
    'archiveSession',
    'Archive a session',
    'The session takes no more executions and stays readable. Repeating the request is harmless.',
  )
  @Answers(200, SessionDto, 'The archived session.')
  @Problems(400, 404)
  archive(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<SessionView> {
    return this.sessions.setArchived(tenantId, uuid, true);
  }

  @Post('unarchive')
  @Operation(
    'unarchiveSession',
    'Restore a session from the archive',
    'The session takes executions again. Repeating the request is harmless.',
  )
  @Answers(200, SessionDto, 'The session, which takes executions again.')
  @Problems(400, 404)
  unarchive(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<SessionView> {
    return this.sessions.setArchived(tenantId, uuid, false);
  }

  @Post('reset')
  @Operation(
    'resetSession',
    'Reset a session',
    'The next execution starts without the earlier messages, which stay readable.',
  )
  @Answers(200, SessionDto, 'The session with `session_id` null.')
  @Problems(400, 404)
  reset(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<SessionView> {
    return this.sessions.reset(tenantId, uuid);
  }

  @Delete()
  @HttpCode(204)
  @Operation(
    'deleteSession',
    'Delete a session',
    'Deletes its messages, executions and files too. Answers 409 while an execution is under way.',
  )
  @ApiResponse({ status: 204, description: 'The session is deleted.' })
  @Problems(400, 404, 409)
  async delete(@Tenant() tenantId: string, @Param() { uuid }: SessionParams): Promise<void> {
    await this.sessions.delete(tenantId, uuid);
  }
}
