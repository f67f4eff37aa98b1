import { Readable } from 'node:stream';
import { Controller, Get, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { systemClock } from '#libs/kernel';
import { ExecutionChangesStore } from '#libs/persistence';
import { Access, Caller, type Principal } from '../http/access.js';
import { OptionalHeader, Problems } from '../http/describe-answers.js';
import { EventConnections } from '../http/held-requests.js';
import { KeyWatch } from '../http/key-watch.js';
import { LiveRequests } from '../http/open-requests.js';
import { Operation } from '../http/operation.js';
import { InvalidRequestError } from '../http/request-errors.js';
import { singleHeader } from '../http/request-values.js';
import { LIST_EVENT_STREAM } from '../openapi/describe-list-events.js';
import { listEvents, type ListEvent } from './list-follower.js';
import { ListReads } from './list-reads.js';
import { formatServerSentEvent, RETRY_LINE } from './server-sent-event.js';

/** Streams the changes of status of all executions of a tenant. */
@ApiTags('executions')
@Controller('api/executions/events')
@Access('executions:read')
export class ListEventsController {
  constructor(
    private readonly changes: ExecutionChangesStore,
    private readonly reads: ListReads,
    private readonly liveRequests: LiveRequests,
    private readonly connections: EventConnections,
    private readonly keyWatch: KeyWatch,
  ) {}

  @Get()
  @Operation(
    'followExecutions',
    'Follow all executions',
    'Server-sent events with the state of each execution of the tenant, within about a second after its status or attempt changed; faster changes are merged. The stream starts with executions that run or wait for a person, then sends `listening`: read a list after that, and no change is missed. Reconnect with `Last-Event-ID` to receive executions created or settled since; some may be sent again. `reset`: too many changes; read the list again. A heartbeat is sent after 10 s of silence.',
  )
  @OptionalHeader('Last-Event-ID', 'Id of the last event received; what has changed since then is sent.')
  @ApiResponse({
    status: 200,
    description: 'The events; the stream does not end.',
    content: LIST_EVENT_STREAM,
  })
  @Problems(400, 429, 503)
  async follow(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const resumed = parseSince(singleHeader(request, 'last-event-id'));
    const signal = this.liveRequests.signalFor(reply.raw);
    const { tenantId } = caller;
    const first = await this.changes.readSince(tenantId, resumed);
    this.connections.admit(caller, reply.raw);
    this.keyWatch.watch(caller, reply.raw);
    void reply.header('Cache-Control', 'no-cache').header('X-Accel-Buffering', 'no');
    const events = listEvents(
      {
        read: (since) => this.reads.read(tenantId, since),
        readOf: (ids) => this.changes.readOf(tenantId, ids),
        clock: systemClock,
      },
      first,
      resumed,
      signal,
    );
    return new StreamableFile(Readable.from(toText(events), { objectMode: false }), {
      type: 'text/event-stream',
    });
  }
}

/** The time of an event id in ms; null without one. Throws for an id that this API never issued. */
function parseSince(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  if (/^[1-9]\d{11,12}$/.test(header)) return Number(header);
  throw new InvalidRequestError([
    { header: 'Last-Event-ID', detail: 'must be the id of an event of this stream' },
  ]);
}

async function* toText(events: AsyncIterable<ListEvent>): AsyncGenerator<string, void, undefined> {
  yield RETRY_LINE;
  for await (const event of events) yield formatServerSentEvent(event);
}
