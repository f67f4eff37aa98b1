import type { OpenAPIObject } from '@nestjs/swagger';
import { EXECUTION_STATUSES } from '#libs/payloads';

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Response content of the route that streams events of all executions. */
export const LIST_EVENT_STREAM = {
  'text/event-stream': {
    schema: schemaRef('ExecutionListEvent'),
    example: { event: 'listening', id: '1795338300000', data: {} },
  },
};

const ID = {
  type: 'string',
  pattern: '^[1-9]\\d{11,12}$',
  description: 'Send it as `Last-Event-ID` to receive later changes.',
};
const NOTHING = { type: 'object', properties: {}, additionalProperties: false };
const time = { type: 'string', format: 'date-time' };
const timeOrNull = { type: ['string', 'null'], format: 'date-time' };

const STANDING = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    agent_id: { type: 'integer' },
    session_uuid: { type: 'string', format: 'uuid' },
    status: { type: 'string', enum: [...EXECUTION_STATUSES] },
    attempt: { type: 'integer', minimum: 0, description: 'Number of attempts.' },
    error_code: { type: ['string', 'null'], description: 'Error code of a failed execution.' },
    created_at: time,
    started_at: timeOrNull,
    finished_at: timeOrNull,
  },
  additionalProperties: false,
};

/** Adds a schema for every event of the list of executions; heartbeats share the schema of execution events. */
export function withListEvents(document: OpenAPIObject): OpenAPIObject {
  const named = {
    execution: eventSchema('execution', 'Current state of an execution.', {
      ...STANDING,
      required: Object.keys(STANDING.properties),
    }),
    listening: eventSchema('listening', 'The initial state is complete; changes follow.', NOTHING),
    reset: eventSchema('reset', 'Too many changes to send: read the list again.', NOTHING),
  };
  const nameOf = (event: string): string =>
    `ExecutionList${event.slice(0, 1).toUpperCase()}${event.slice(1)}Event`;
  const mapping = Object.fromEntries([
    ...Object.keys(named).map((event) => [event, schemaRef(nameOf(event)).$ref]),
    ['heartbeat', schemaRef('HeartbeatEvent').$ref],
  ]) as Record<string, string>;
  Object.assign(document.components?.schemas ?? {}, {
    ...Object.fromEntries(Object.entries(named).map(([event, schema]) => [nameOf(event), schema])),
    ExecutionListEvent: {
      description: 'One event of the list of executions: parsed server-sent event with its data as JSON.',
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: 'event', mapping },
    },
  });
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
