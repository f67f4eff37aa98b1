import { Readable } from 'node:stream';
import { Controller, Get, Param, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { systemClock } from '#libs/kernel';
import { EventConnections } from '../http/held-requests.js';
import { formatServerSentEvent, RETRY_LINE } from '../executions/server-sent-event.js';
import { Access, Caller, type Principal } from '../http/access.js';
import { OptionalHeader, Problems } from '../http/describe-answers.js';
import { KeyWatch } from '../http/key-watch.js';
import { LiveRequests } from '../http/open-requests.js';
import { Operation } from '../http/operation.js';
import { singleHeader } from '../http/request-values.js';
import { DOCUMENT_EVENT_STREAM } from '../openapi/describe-document-events.js';
import { DocumentIdParams } from './documents.dto.js';
import { notAnEventOfDocument } from './documents.errors.js';
import { DocumentsService } from './documents.service.js';
import { DOCUMENT_EVENT_ID, documentEvents, hasSeenEnd, type DocumentEvent } from './document-follower.js';
import { DocumentReads } from './document-reads.js';

/** Streams the ingestion progress of a document. */
@ApiTags('documents')
@Controller('api/documents/:id/events')
@Access('agents:read')
export class DocumentEventsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly reads: DocumentReads,
    private readonly liveRequests: LiveRequests,
    private readonly connections: EventConnections,
    private readonly keyWatch: KeyWatch,
  ) {}

  @Get()
  @Operation(
    'followDocument',
    'Follow a document',
    'Server-sent events: the current state, then each change within about a second, and an `end` once the newest generation is `ready` or `failed`, or the document is deleted. Reconnect with `Last-Event-ID` to resume. A heartbeat is sent after 10 s of silence.',
  )
  @OptionalHeader('Last-Event-ID', 'Id of the last event received; only later ones are sent.')
  @ApiResponse({
    status: 200,
    description: 'The events, up to the `end`.',
    content: DOCUMENT_EVENT_STREAM,
  })
  @ApiResponse({
    status: 204,
    description:
      'No event follows this `end`: do not reconnect. After the `end` `deleted` the answer is 404.',
  })
  @Problems(400, 404, 429, 503)
  async follow(
    @Caller() caller: Principal,
    @Param() { id }: DocumentIdParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const seenId = readSeenId(singleHeader(request, 'last-event-id'));
    const signal = this.liveRequests.signalFor(reply.raw);
    const { view: document } = await this.documents.find(caller.tenantId, id);
    void reply.header('Cache-Control', 'no-cache').header('X-Accel-Buffering', 'no');
    if (hasSeenEnd(document, seenId)) {
      void reply.status(204);
      return undefined;
    }
    this.connections.admit(caller, reply.raw);
    this.keyWatch.watch(caller, reply.raw);
    const sources = { read: () => this.reads.read(id), clock: systemClock };
    const events = documentEvents(sources, document, seenId, signal);
    return new StreamableFile(Readable.from(toText(events), { objectMode: false }), {
      type: 'text/event-stream',
    });
  }
}

/** The event id of the header; null without one. Throws for an id that this API never issued. */
function readSeenId(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  if (!DOCUMENT_EVENT_ID.test(header)) throw notAnEventOfDocument();
  return header;
}

async function* toText(events: AsyncIterable<DocumentEvent>): AsyncGenerator<string, void, undefined> {
  yield RETRY_LINE;
  for await (const event of events) yield formatServerSentEvent(event);
}
