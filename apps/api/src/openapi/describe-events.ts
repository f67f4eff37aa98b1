import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { executionEventDataSchemas, type ExecutionEventName } from '#libs/payloads';

type EventName = ExecutionEventName | 'heartbeat';
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const MEANING: Readonly<Record<EventName, string>> = {
  session_start: 'The run has begun.',
  status: 'The execution has another status.',
  text_delta: 'The next delta of the text of the model.',
  thinking: 'The next delta of the reasoning of the model.',
  tool_use: 'The model calls a tool.',
  tool_result: 'Answer of a tool.',
  tool_progress: 'Progress of a tool call; `done` and `total` in a unit of the tool.',
  log: 'A round, a thought or a call, at its beginning and at its end under the same id.',
  file: 'A file that a tool created for the user.',
  retriever_resources:
    'Sources from `context` of the request, and passages of documents that the model read.',
  waiting:
    '`waiting_for` of the execution has changed; `kind` null: the wait is over. Waits shorter than a second are not reported.',
  approval_required: 'Tool calls that wait for approval by a person.',
  outcome_required: 'Tool calls of unknown outcome that wait for a person to report it.',
  approval_decided:
    'Decision on a call that waited for approval, sent when the execution continues. May be sent twice; `call` identifies it.',
  outcome_decided:
    'Decision on a call of unknown outcome, sent when the execution continues. May be sent twice; `call` identifies it.',
  attempt_restarted: 'A new worker took over: drop the partial text of `round` and of later ones.',
  model_switched: 'A fallback model is asked from `round` on. May be sent twice.',
  subagent: 'A sub-agent starts or stops.',
  step_skipped: 'A step of a pipeline is skipped: its condition is false, or it is on another branch.',
  events_dropped:
    'At most `count` events are missing here, because the stream was unavailable or too slow. The execution and its steps contain their data.',
  error: 'Error of the failed execution.',
  result: 'Result of the execution. Sent exactly once; the last event unless `title_pending` is true.',
  title_generated: 'The title of the session, after the `result` that announced it.',
  heartbeat: 'Sent after ten seconds without an event; it has no id.',
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
    description: 'One event of an execution: parsed server-sent event with its data as JSON.',
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
    description: 'Send it as `Last-Event-ID` to resume after this event.',
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
