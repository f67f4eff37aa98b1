import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ChatMessageView } from '#libs/persistence';
import { Answers, Problems } from '../http/describe-answers.js';
import type { Page } from '../http/page.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { ListMessages } from './list-messages.use-case.js';
import { AgentSessionParams, MessageListQuery, MessagePageDto, SessionParams } from './message.dto.js';

/** Reading conversations. */
@ApiTags('sessions')
@Controller('api')
@Access('executions:read')
export class MessagesController {
  constructor(private readonly listMessages: ListMessages) {}

  @Get('sessions/:uuid/messages')
  @ApiOperation({ summary: 'List the messages of a session, oldest first' })
  @Answers(200, MessagePageDto, 'One page of messages.')
  @Problems(400, 404)
  ofSession(
    @Tenant() tenantId: string,
    @Param() { uuid: sessionId }: SessionParams,
    @Query() query: MessageListQuery,
  ): Promise<Page<ChatMessageView>> {
    return this.listMessages.execute({ tenantId, sessionId }, query);
  }

  @Get('agents/:id/sessions/:uuid/messages')
  @ApiOperation({ summary: 'List the messages of a session of this agent, oldest first' })
  @Answers(200, MessagePageDto, 'One page of messages.')
  @Problems(400, 404)
  ofAgent(
    @Tenant() tenantId: string,
    @Param() { id: agentId, uuid: sessionId }: AgentSessionParams,
    @Query() query: MessageListQuery,
  ): Promise<Page<ChatMessageView>> {
    return this.listMessages.execute({ tenantId, sessionId, agentId }, query);
  }
}
