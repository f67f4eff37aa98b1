import { describe, expect, it } from '@jest/globals';
import { AnswerValidator, type SeenAnswer } from './answer-validator.js';
import { operationsOf, readOpenApiDocument, type Operation } from './openapi-document.js';

const document = readOpenApiDocument();
const validator = new AnswerValidator(document);

const AGENT = {
  ...{ id: 1, name: 'A', usecase_type: 'BASIC_CHAT', llm: 1, system_prompt: null },
  ...{ config: { any: ['thing'] }, tools: {}, is_active: true },
};
const PROBLEM = {
  ...{
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: 'no',
    code: 'NOT_FOUND',
    request_id: 'r',
  },
};

function operation(name: string): Operation {
  const found = operationsOf(document).find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`openapi.json has no ${name}`);
  return found;
}

function faultsOf(name: string, status: number, body: unknown, mediaType = mediaTypeOf(status)): string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return validator.faultsOf(operation(name), { status, mediaType, text });
}

function mediaTypeOf(status: number): string {
  return status < 400 ? 'application/json' : 'application/problem+json';
}

describe('the validator of answers', () => {
  it('finds nothing wrong with answers as documented', () => {
    expect(faultsOf('GET /api/agents/{id}/', 200, AGENT)).toEqual([]);
    expect(faultsOf('GET /api/agents/{id}/', 404, PROBLEM)).toEqual([]);
    expect(faultsOf('GET /api/agents/', 200, [AGENT])).toEqual([]);
    expect(faultsOf('DELETE /api/agents/{id}/', 204, '')).toEqual([]);
  });

  it.each<[string, Partial<SeenAnswer>, RegExp]>([
    [
      'a 5xx that is documented',
      { status: 500, text: JSON.stringify({ ...PROBLEM, status: 500 }) },
      /answers 500/,
    ],
    ['a status that is not documented', { status: 409 }, /status 409 is not documented/],
    ['a field too few', { text: JSON.stringify({ ...AGENT, llm: undefined }) }, /required property 'llm'/],
    ['a field too many', { text: JSON.stringify({ ...AGENT, secret: 'x' }) }, /additional properties/],
    ['a field of another type', { text: JSON.stringify({ ...AGENT, name: 5 }) }, /name must be string/],
    [
      'null where nothing says so',
      { text: JSON.stringify({ ...AGENT, config: null }) },
      /config must be object/,
    ],
    ['no JSON', { text: 'oops' }, /is no JSON/],
    ['no body', { text: '' }, /is no JSON/],
    ['another media type', { mediaType: 'text/html' }, /is text\/html, not application\/json/],
    ['no media type', { mediaType: null }, /is null, not application\/json/],
    ['an error that is no problem', { status: 404, text: '{}' }, /no problem/],
    [
      'a problem without its code',
      { status: 404, ...problem({ code: undefined }) },
      /required property 'code'/,
    ],
    [
      'a problem that says another status',
      { status: 404, ...problem({ status: 400 }) },
      /another status than 404/,
    ],
  ])('notices %s', (_name, forged, words) => {
    const answer = {
      status: 200,
      mediaType: 'application/json',
      text: JSON.stringify(AGENT),
      ...forged,
    };

    expect(validator.faultsOf(operation('GET /api/agents/{id}/'), answer)).toEqual([
      expect.stringMatching(words),
    ]);
  });

  it('notices a body where there is to be none, and a stream that says nothing', () => {
    expect(faultsOf('DELETE /api/agents/{id}/', 204, '{}')).toEqual([expect.stringMatching(/has a body/)]);
    const events = 'GET /api/executions/{id}/events/';
    expect(faultsOf(events, 200, 'retry: 1000\n\n', 'text/event-stream')).toEqual([]);
    expect(faultsOf(events, 200, '', 'text/event-stream')).toEqual(['the event stream is empty']);
  });

  it('notices also off the routes a 5xx and an error that is no problem', () => {
    const answer = {
      status: 404,
      mediaType: 'application/problem+json',
      text: JSON.stringify(PROBLEM),
    };

    expect(validator.faultsOffRoute(answer)).toEqual([]);
    expect(validator.faultsOffRoute({ ...answer, status: 502 })).toHaveLength(1);
    expect(validator.faultsOffRoute({ ...answer, mediaType: 'text/html' })).toHaveLength(1);
    expect(validator.faultsOffRoute({ ...answer, text: '{}' })).toHaveLength(1);
  });
});

describe('the validator of events', () => {
  const delta = { id: '4', event: 'text_delta', data: '{"content": "Hello", "round": 1}' };

  it('finds nothing wrong with events as documented', () => {
    expect(validator.faultsOfEvent(delta)).toEqual([]);
    expect(validator.faultsOfEvent({ event: 'heartbeat', data: '{}' })).toEqual([]);
  });

  it.each([
    ['one that is not documented', { event: 'text_delto' }, /the event text_delto is another/],
    ['a field too few', { data: '{"content": "Hello"}' }, /required property 'round'/],
    ['a field too many', { data: '{"content": "Hello", "round": 1, "secret": 1}' }, /additional properties/],
    ['data that is no JSON', { data: 'oops' }, /data/],
    ['no id', { id: undefined }, /required property 'id'/],
  ])('notices %s', (_name, forged, words) => {
    expect(validator.faultsOfEvent({ ...delta, ...forged })).toEqual([expect.stringMatching(words)]);
  });
});

function problem(fields: object): Pick<SeenAnswer, 'mediaType' | 'text'> {
  return { mediaType: 'application/problem+json', text: JSON.stringify({ ...PROBLEM, ...fields }) };
}
