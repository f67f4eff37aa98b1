import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { SessionView } from '#libs/persistence';
import { Answers, Problems } from '../http/describe-answers.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { SessionDto, SessionParams } from './session.dto.js';
import { SessionCommands } from './sessions.commands.js';

/** Changing conversations as a whole; repeating a change does no harm. */
@ApiTags('sessions')
@Controller('api/sessions/:uuid')
@Access('sessions:write')
export class SessionChangesController {
  constructor(private readonly commands: SessionCommands) {}

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
