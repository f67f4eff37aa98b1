import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { executionEventDataSchemas, type ExecutionEventName } from '#libs/payloads';

type EventName = ExecutionEventName | 'heartbeat';
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const MEANING: Readonly<Record<EventName, string>> = {
  session_start: 'The run has begun.',
  status: 'The execution has another status.',
  text_delta: 'The next piece of the text that the model writes.',
  thinking: 'The next piece of what the model thinks.',
  tool_use: 'The model calls a tool.',
  tool_result: 'Answer of a tool.',
  tool_progress: 'How far a call is that takes a while; `done` and `total` in a unit of its own.',
  log: 'A round, a thought or a call, at its beginning and at its end under the same id.',
  file: 'Something that a tool made for the user.',
  retriever_resources: 'The sources that the run was given as context, and what its model read of documents.',
  waiting:
    'The execution waits, or waits for something else, or no longer (`kind` is null): `waiting_for` of its view. Pauses below a second bring none.',
  approval_required: 'Tool calls that a person has to agree to.',
  outcome_required: 'Tool calls of unknown outcome: a person has to say whether they happened.',
  approval_decided:
    'The decision over a call that asked for approval, once the execution goes on. It may come twice; `call` names the call.',
  outcome_decided:
    'The decision over a call that asked for its outcome, once the execution goes on. It may come twice; `call` names the call.',
  attempt_restarted: 'A new worker took over: drop the partial text of `round` and of later ones.',
  subagent: 'An agent that another one called begins, or has ended.',
  step_skipped:
    'A step of a pipeline does not run: its condition does not hold, or a branch has led past it.',
  events_dropped:
    'So many events are missing here, at most: the stream was away or too slow. The execution and its steps have what they said.',
  error: 'Why the execution failed.',
  result: 'How the execution ended: exactly once, and the last event unless `title_pending` is true.',
  title_generated: 'The title of the session, after the `result` that announced it.',
  heartbeat: 'Nothing has happened for ten seconds; it has no id.',
};

/** Response content of the routes that stream events of an execution. */
export const EVENT_STREAM = {
  'text/event-stream': {
    schema: { $ref: '#/components/schemas/ExecutionEvent' },
    example: { event: 'text_delta', id: '4', data: { content: 'Your parcel', round: 1 } },
  },
};

/**
 * Adds a schema for every execution event, discriminated by `event`. Each describes a parsed event: the fields `event`, `id`
 * and `data`, with the data as JSON.
 */
export function withEvents(document: OpenAPIObject): OpenAPIObject {
  const names = Object.keys(MEANING) as EventName[];
  const events = Object.fromEntries(names.map((name) => [componentOf(name), eventSchema(name)]));
  const refs = names.map((name) => [name, `#/components/schemas/${componentOf(name)}`] as const);
  const union = {
    description:
      'One event of an execution, as a parser of server-sent events gives it, with its data as JSON.',
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'event', mapping: Object.fromEntries(refs) },
  };
  Object.assign(document.components?.schemas ?? {}, events, { ExecutionEvent: union });
  return document;
}

function eventSchema(name: EventName): Schemas[string] {
  const id = {
    type: 'string',
    pattern: '^\\d+$',
    description: 'Give it as `Last-Event-ID` to resume after it.',
  };
  return {
    type: 'object',
    description: MEANING[name],
    properties: {
      event: { type: 'string', const: name },
      ...(name !== 'heartbeat' && { id }),
      data: dataSchema(name),
    },
    required: name === 'heartbeat' ? ['event', 'data'] : ['event', 'id', 'data'],
  } as Schemas[string];
}

function dataSchema(name: EventName): object {
  const schema = name === 'heartbeat' ? z.object({}) : executionEventDataSchemas[name];
  const { $schema: _dialect, $defs: _shared, ...data } = z.toJSONSchema(schema);
  const text = JSON.stringify(data).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as object;
}

/** Component name of an event, e.g. `TextDeltaEvent`. */
function componentOf(name: EventName): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
