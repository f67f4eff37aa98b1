import type { OpenAPIObject } from '@nestjs/swagger';
import { DOCUMENT_ENDS, DOCUMENT_EVENT_ID } from '../documents/document-follower.js';

/** Response content of the routes that stream events of a document. */
export const DOCUMENT_EVENT_STREAM = {
  'text/event-stream': {
    schema: { $ref: '#/components/schemas/DocumentEvent' },
    example: { event: 'end', id: '1-6-212-212-end', data: { reason: 'ready' } },
  },
};

const ID = {
  type: 'string',
  pattern: DOCUMENT_EVENT_ID.source,
  description: 'Send it as `Last-Event-ID` to resume after this event.',
};
const END = {
  type: 'object',
  properties: { reason: { type: 'string', enum: [...DOCUMENT_ENDS] } },
  required: ['reason'],
  additionalProperties: false,
};

/** Adds a schema for every document event; heartbeats share the schema of execution events. */
export function withDocumentEvents(document: OpenAPIObject): OpenAPIObject {
  const schemas = {
    DocumentStateEvent: eventSchema('state', 'State of the document, sent after each change.', {
      $ref: '#/components/schemas/Document',
    }),
    DocumentEndEvent: eventSchema('end', 'Last event; no event follows until the document is replaced.', END),
    DocumentEvent: {
      description: 'One event of a document: parsed server-sent event with its data as JSON.',
      oneOf: ['DocumentStateEvent', 'DocumentEndEvent', 'HeartbeatEvent'].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      })),
      discriminator: {
        propertyName: 'event',
        mapping: {
          state: '#/components/schemas/DocumentStateEvent',
          end: '#/components/schemas/DocumentEndEvent',
          heartbeat: '#/components/schemas/HeartbeatEvent',
        },
      },
    },
  };
  Object.assign(document.components?.schemas ?? {}, schemas);
  return document;
}

function eventSchema(name: string, description: string, data: object): object {
  return {
    type: 'object',
    description,
    properties: { event: { type: 'string', const: name }, id: ID, data },
    required: ['event', 'id', 'data'],
  };
}
