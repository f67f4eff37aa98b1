import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, Caller, type Principal } from '../http/access.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { Operation } from '../http/operation.js';
import type { Page } from '../http/page.js';
import { refuseOtherOrigins } from '../http/same-origin.js';
import { endedCookie, sessionCookie } from '../http/session-cookie.js';
import { ChangesNothing, ShowsSecret } from '../idempotency/route-keys.js';
import {
  CallerDto,
  ConsoleSessionDto,
  ConsoleSessionIdParams,
  ConsoleSessionListQuery,
  ConsoleSessionPageDto,
  SignInDto,
  type CallerAnswer,
  type ConsoleSessionAnswer,
} from './console-sessions.dto.js';
import { ConsoleSessionsService, SESSION_SECONDS } from './console-sessions.service.js';

/** Signs browsers in and out. */
@ApiTags('console sessions')
@Controller('api/console-sessions')
@Access('any key')
export class ConsoleSessionsController {
  constructor(private readonly sessions: ConsoleSessionsService) {}

  @Post()
  @Access('sign-in')
  @ShowsSecret()
  @ChangesNothing('Each sign-in is a session of its own, which ends by itself: a repeated one does no harm.')
  @Operation(
    'createConsoleSession',
    'Sign a browser in',
    'Exchanges an API key for a session of 12 hours in the cookie `capstan_session` (`HttpOnly`, `SameSite=Strict`, `Secure` except on loopback). The cookie has the rights of the key until either expires; changes must come from a page of the same origin. A key has at most 100 sessions: a further one ends the oldest.',
    { security: [] },
  )
  @Answers(201, ConsoleSessionDto, 'The session; its token is in the cookie alone.', {
    'Set-Cookie': { description: 'The token of the session.', schema: { type: 'string' } },
  })
  @ProblemsOfBody(422)
  async signIn(
    @Body() { api_key }: SignInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsoleSessionAnswer> {
    refuseOtherOrigins(request);
    const { session, token } = await this.sessions.signIn(api_key, request, reply);
    void reply.header('Set-Cookie', sessionCookie(request, token, SESSION_SECONDS));
    return session;
  }

  @Get('current')
  @Operation(
    'getCaller',
    'Read what this request may do',
    'Tenant, scopes and key of the request, and the expiry of its key or session.',
  )
  @Answers(200, CallerDto, 'The caller; with `AUTH=off` the tenant `default` with every scope.')
  @Problems()
  describe(@Caller() caller: Principal): Promise<CallerAnswer> {
    return this.sessions.describe(caller);
  }

  @Delete('current')
  @HttpCode(204)
  @Operation(
    'deleteCurrentConsoleSession',
    'Sign this browser out',
    'Ends the session, and removes its cookie.',
  )
  @ApiResponse({ status: 204, description: 'The session has ended.' })
  @Problems(404)
  async signOut(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.endCurrent(caller);
    void reply.header('Set-Cookie', endedCookie(request));
  }

  @Get()
  @Operation(
    'listConsoleSessions',
    'List console sessions',
    'Newest first, without ended ones: sessions of the same key, or with the scope `admin` of all keys of the tenant.',
  )
  @Answers(200, ConsoleSessionPageDto, 'One page of sessions, newest first.')
  @Problems(400)
  list(
    @Caller() caller: Principal,
    @Query() query: ConsoleSessionListQuery,
  ): Promise<Page<ConsoleSessionAnswer>> {
    return this.sessions.list(caller, query);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation(
    'deleteConsoleSession',
    'End a console session',
    'The session is invalid from its next request on; its event streams are closed within 5 seconds. With the scope `admin` any session of the tenant, otherwise only sessions of the same key.',
  )
  @ApiResponse({ status: 204, description: 'The session has ended.' })
  @Problems(400, 404)
  end(@Caller() caller: Principal, @Param() { id }: ConsoleSessionIdParams): Promise<void> {
    return this.sessions.end(caller, id);
  }
}
