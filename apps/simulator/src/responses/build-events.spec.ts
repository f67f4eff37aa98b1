import { describe, expect, it } from '@jest/globals';
import type { OpenAI } from 'openai';
import { callOf, completed, type Answer } from './answer.js';
import { buildEvents } from './build-events.js';
import { buildResponse, type BuiltResponse } from './build-response.js';
import type { IdSource } from './id-source.js';
import type { OutputItem } from './output-item-schema.js';
import { parseResponsesRequest } from './responses-request.js';
import type { ResponseObject } from './response-schema.js';
import { streamEventSchema, type StreamEvent, type UnnumberedEvent } from './stream-event-schema.js';

function countingIds(): IdSource {
  let count = 0;
  return { next: (prefix) => `${prefix}_${(count += 1)}` };
}

const build = (answer: Answer, extra: object = {}): BuiltResponse =>
  buildResponse(
    parseResponsesRequest({ model: 'sim-echo', input: 'hi', ...extra }),
    answer,
    countingIds(),
    1_800_000_000_500,
  );

const eventsOf = (answer: Answer, extra: object = {}): readonly UnnumberedEvent[] =>
  buildEvents(build(answer, extra), { deltaCharacters: 4, isObfuscated: true });

const numbered = (events: readonly UnnumberedEvent[]): readonly unknown[] =>
  events.map((event, index) => ({ ...event, sequence_number: index }));

const EVERYTHING = completed([
  { kind: 'reasoning', summary: ['First.', 'Second.'], thought: 'First. Second.' },
  { kind: 'text', text: 'héllo 世界 👍' },
  callOf('search_names', '{"query":"roma"}'),
  callOf('search_names', ''),
  { kind: 'refusal', refusal: 'No.' },
]);

describe('the events of a stream', () => {
  it('come in the order of the real API', () => {
    const types = eventsOf(EVERYTHING)
      .map((event) => event.type.replace('response.', ''))
      .filter((type, index, all) => type !== all[index - 1]);
    expect(types).toEqual([
      ...['created', 'in_progress'],
      ...['output_item.added', 'reasoning_summary_part.added', 'reasoning_summary_text.delta'],
      ...['reasoning_summary_text.done', 'reasoning_summary_part.done'],
      ...['reasoning_summary_part.added', 'reasoning_summary_text.delta'],
      ...['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
      ...['output_item.added', 'content_part.added', 'output_text.delta', 'output_text.done'],
      ...['content_part.done', 'output_item.done'],
      ...[
        'output_item.added',
        'function_call_arguments.delta',
        'function_call_arguments.done',
        'output_item.done',
      ],
      ...['output_item.added', 'function_call_arguments.done', 'output_item.done'],
      ...['output_item.added', 'content_part.added', 'refusal.delta', 'refusal.done', 'content_part.done'],
      ...['output_item.done', 'completed'],
    ]);
  });

  it.each<[string, Answer]>([
    ['everything at once', EVERYTHING],
    ['nothing at all', completed([])],
    [
      'an answer cut by a limit',
      { ...EVERYTHING, end: { status: 'incomplete', reason: 'max_output_tokens' } },
    ],
    ['an answer cut by a filter', { ...EVERYTHING, end: { status: 'incomplete', reason: 'content_filter' } }],
    ['a failure', { ...EVERYTHING, end: { status: 'failed', code: 'server_error', message: 'no' } }],
    ['usage that is null', { ...EVERYTHING, usage: { kind: 'null' } }],
    ['usage that is missing', { ...EVERYTHING, usage: { kind: 'missing' } }],
  ])('have exactly the fields of the real API: %s', (_name, answer) => {
    const extra = {
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'search_names' }],
    };
    for (const event of numbered(eventsOf(answer, extra))) {
      expect(streamEventSchema.safeParse(event).error).toBeUndefined();
    }
  });

  it('end as the answer ends', () => {
    expect(eventsOf(completed([])).at(-1)).toMatchObject({
      type: 'response.completed',
      response: { status: 'completed', completed_at: 1_800_000_000, error: null, incomplete_details: null },
    });
    const failed = completed([]);
    expect(
      eventsOf({ ...failed, end: { status: 'failed', code: 'server_error', message: 'no' } }).at(-1),
    ).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'no' }, usage: null },
    });
    expect(
      eventsOf({ ...failed, end: { status: 'incomplete', reason: 'content_filter' } }).at(-1),
    ).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'content_filter' }, completed_at: null },
    });
  });

  it('grow item by item to what the finished response holds', () => {
    const events = eventsOf(EVERYTHING);
    const textOf = (type: UnnumberedEvent['type']): string =>
      events.flatMap((event) => (event.type === type && 'delta' in event ? [event.delta] : [])).join('');
    expect(textOf('response.output_text.delta')).toBe('héllo 世界 👍');
    expect(textOf('response.function_call_arguments.delta')).toBe('{"query":"roma"}');
    expect(textOf('response.reasoning_summary_text.delta')).toBe('First.Second.');
    const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
    const last = events.at(-1);
    expect(last?.type === 'response.completed' ? last.response.output : []).toEqual(done);
  });

  it('announce items empty and in progress', () => {
    const added = eventsOf(EVERYTHING, { include: ['reasoning.encrypted_content'] }).flatMap((event) =>
      event.type === 'response.output_item.added' ? [event.item] : [],
    );
    expect(added.map((item) => ('status' in item ? item.status : 'none'))).toEqual([
      ...['none', 'in_progress', 'in_progress', 'in_progress', 'in_progress'],
    ]);
    expect(added[1]).toMatchObject({ content: [] });
    expect(added[2]).toMatchObject({ arguments: '', name: 'search_names' });
    expect(added[0]).toMatchObject({ summary: [], encrypted_content: expect.stringMatching(/^gAAAAA/) });
  });

  it('carry encrypted reasoning only when it is asked for', () => {
    const encrypted = (extra: object): boolean =>
      build(EVERYTHING, extra).finished.output.some(
        (item) => item.type === 'reasoning' && item.encrypted_content !== undefined,
      );
    expect(encrypted({})).toBe(false);
    expect(encrypted({ include: ['reasoning.encrypted_content'] })).toBe(true);
  });
});

describe('the types of this server', () => {
  it('are those of the official client', () => {
    type Sdk = typeof OpenAI.Responses extends unknown ? OpenAI.Responses.ResponseStreamEvent : never;
    // On the wire `usage` and `user` are null if the client's types say absent; the client adds `output_text`.
    type SdkResponse = Omit<OpenAI.Responses.Response, 'output_text' | 'usage' | 'user'>;
    const asEvent = (event: Exclude<StreamEvent, { response: unknown }>): Sdk => event;
    const asItem = (item: OutputItem): OpenAI.Responses.ResponseOutputItem => item;
    const asResponse = (response: ResponseObject): SdkResponse => response;
    expect([asEvent, asItem, asResponse]).toHaveLength(3);
  });
});
