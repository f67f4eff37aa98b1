import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EVENT_STREAM } from '../openapi/describe-events.js';
import { Operation } from '../http/operation.js';
import { OptionalHeader, Problems } from '../http/describe-answers.js';
import { KeyWatch } from '../http/key-watch.js';
import { LiveRequests } from '../http/open-requests.js';
import { Access, Caller, type Principal } from '../http/access.js';
import { singleHeader } from '../http/request-values.js';
import { EventConnections } from '../http/held-requests.js';
import { EventsQuery, ExecutionIdParams } from './executions.dto.js';
import { ExecutionsService } from './executions.service.js';
import {
  formatServerSentEvent,
  parseLastEventId,
  RETRY_LINE,
  type OutgoingEvent,
} from './server-sent-event.js';

/** Streams the events of an execution (S4-23 … S4-27), resumable even after its end. */
@ApiTags('executions')
@Controller('api/executions/:id/events')
@Access('executions:read', { takesStreamTokens: true })
export class ExecutionEventsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly liveRequests: LiveRequests,
    private readonly connections: EventConnections,
    private readonly keyWatch: KeyWatch,
  ) {}

  @Get()
  @Operation(
    'followExecution',
    'Follow an execution',
    'Server-sent events up to the `result`, also of a settled execution. Reconnect with `Last-Event-ID` to resume; browsers do so by themselves. A heartbeat is sent after 10 s of silence.',
  )
  @OptionalHeader('Last-Event-ID', 'Begin after this event, which must be one of this execution.')
  @ApiResponse({
    status: 200,
    description: 'The events, up to the last one.',
    content: EVENT_STREAM,
  })
  @ApiResponse({ status: 204, description: 'No event follows this one: do not reconnect.' })
  @Problems(400, 404, 429, 503)
  async follow(
    @Caller() caller: Principal,
    @Param() { id }: ExecutionIdParams,
    @Query() query: EventsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const lastEventId = parseLastEventId(singleHeader(request, 'last-event-id'));
    const signal = this.liveRequests.signalFor(reply.raw);
    const following = await this.executions.follow(
      caller.tenantId,
      id,
      lastEventId ?? query.after ?? 0,
      signal,
    );
    if (following.kind === 'events') {
      this.connections.admit(caller, reply.raw);
      this.keyWatch.watch(caller, reply.raw);
    }
    void reply.header('Cache-Control', 'no-cache').header('X-Accel-Buffering', 'no');
    if (following.kind === 'seen_all') {
      void reply.status(204);
      return undefined;
    }
    // Byte mode, so that the buffer of a slow client is limited in bytes; further events stay unread.
    return new StreamableFile(Readable.from(toText(following.events), { objectMode: false }), {
      type: 'text/event-stream',
    });
  }
}

/** Maximum characters that are written together, since one event can have megabytes. */
const WRITTEN_TOGETHER = 16_384;

async function* toText(
  batches: AsyncIterable<readonly OutgoingEvent[]>,
): AsyncGenerator<string, void, undefined> {
  yield RETRY_LINE;
  for await (const events of batches) {
    let text = '';
    for (const event of events) {
      text += formatServerSentEvent(event);
      if (text.length < WRITTEN_TOGETHER) continue;
      yield text;
      text = '';
    }
    if (text !== '') yield text;
  }
}
