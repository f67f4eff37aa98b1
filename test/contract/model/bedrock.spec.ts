import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { modelProviders } from '#libs/model-providers';
import { encodeFrame } from '../../../apps/simulator/src/bedrock/encode-frame.js';
import { connectionTo } from '../../support/services/open-model.js';
import { callModel, shownText } from './call-model.js';
import * as scenes from './scenes.js';
import { ScriptedProvider, type ReceivedRequest, type Scene } from './scripted-provider.js';
import { WIRES } from './wires.js';

let server: ScriptedProvider;
beforeAll(async () => {
  server = await ScriptedProvider.start();
});
afterAll(() => server.stop());

const wire = new Map(WIRES).get('bedrock');
if (wire === undefined) throw new Error('the provider has no wire');
const { begin, text, thought, call } = wire;
const end = () => wire.end();

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const SIGNING = `AKIDEXAMPLE:${SECRET}`;
const MODEL = 'global.anthropic.claude-haiku-4-5-20251001-v1:0';

function ask(scene: Scene, options: object = {}, request: object = {}) {
  server.play(scene);
  const connection = { provider: 'bedrock', baseUrl: server.baseUrl, apiKey: SIGNING, ...options };
  return callModel(connection, { model: MODEL, ...request });
}

const about = (kind: string, more: object) => ({
  ...more,
  ':content-type': 'application/json',
  ':message-type': kind,
});
const eventFrame = (event: object) =>
  encodeFrame(
    about('event', { ':event-type': 'chunk' }),
    JSON.stringify({ bytes: Buffer.from(JSON.stringify(event)).toString('base64') }),
  );
const exceptionFrame = (type: string) =>
  encodeFrame(about('exception', { ':exception-type': type }), JSON.stringify({ message: 'words' }));

/** A stream of frames, each chunk in a packet of its own. */
const frames =
  (...chunks: readonly Uint8Array[]): Scene =>
  (response) => {
    response.writeHead(200, {
      'content-type': 'application/vnd.amazon.eventstream',
      'x-amzn-requestid': 'req_3',
    });
    const next = ([chunk, ...rest]: readonly Uint8Array[]): void => {
      if (chunk === undefined) response.end();
      else response.write(chunk, () => setImmediate(next, rest));
    };
    next(chunks);
  };
const EVENTS = [...begin, ...thought('hm'), text('he'), text('llo'), ...call('c1', 'search', '{}'), ...end()];
const whole = Buffer.concat(EVENTS.map(eventFrame));

describe('streams of Bedrock', () => {
  it.each<[string, readonly Uint8Array[]]>([
    ['whole', [whole]],
    ['a frame a packet', EVENTS.map(eventFrame)],
    [
      'in odd pieces',
      Array.from({ length: 40 }, (_, at) => whole.subarray(at * 37, at === 39 ? undefined : at * 37 + 37)),
    ],
  ])('are read from their frames, %s', async (_case, chunks) => {
    const outcome = await ask(frames(...chunks));
    expect(outcome.answer).toEqual(scenes.helloAnswer(wire.kept('hm')));
    expect(shownText(outcome)).toBe('hello');
  });

  const half = Buffer.concat([...begin, text('half')].map(eventFrame));
  const broken = Buffer.from(half);
  broken[half.length - 1] = (broken.at(-1) ?? 0) ^ 1;
  it.each<[string, Uint8Array, string, boolean]>([
    ['that end before the answer does', eventFrame(text('half')), 'truncated_stream', true],
    ['that end within a frame', half.subarray(0, half.length - 9), 'malformed_event', true],
    ['with a wrong checksum', broken, 'malformed_event', true],
    ['with an impossible length', Buffer.alloc(20, 0xff), 'malformed_event', true],
    ['that are throttled', exceptionFrame('throttlingException'), 'rate_limited', true],
    ['whose model fails', exceptionFrame('modelStreamErrorException'), 'response_failed', true],
    ['that are refused', exceptionFrame('validationException'), 'response_failed', false],
    [
      'with an error event',
      eventFrame({ type: 'error', error: { type: 'overloaded_error', message: 'words' } }),
      'response_failed',
      true,
    ],
  ])('fail where they are streams %s', async (_case, bytes, reason, retryable) => {
    const { error } = await ask(frames(bytes));
    expect(error).toMatchObject({ reason, retryable, details: { requestId: 'req_3' } });
  });
});

describe('errors of Bedrock', () => {
  const refusal =
    (status: number, type: string, message: string): Scene =>
    (response) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-amzn-errortype': `${type}:http://a.test/`,
      });
      response.end(JSON.stringify({ message }));
    };
  it.each<[number, string, string, string, boolean]>([
    [400, 'ValidationException', 'max_tokens: required', 'invalid_request', false],
    [400, 'ValidationException', 'Input is too long for requested model.', 'context_length_exceeded', false],
    [403, 'AccessDeniedException', 'not yours', 'permission_denied', false],
    [403, 'UnrecognizedClientException', 'The security token is invalid.', 'invalid_credentials', false],
    [403, 'InvalidSignatureException', 'The signature does not match.', 'invalid_credentials', false],
    [403, 'ExpiredTokenException', 'The token has expired.', 'invalid_credentials', false],
    [404, 'ResourceNotFoundException', 'no such model', 'model_not_found', false],
    [408, 'ModelTimeoutException', 'too slow', 'request_timeout', true],
    [424, 'ModelErrorException', 'the model failed', 'provider_unavailable', true],
    [429, 'ThrottlingException', 'too many tokens', 'rate_limited', true],
    [503, 'ServiceUnavailableException', 'try again', 'provider_unavailable', true],
  ])('%d %s, %s: fail as %s', async (status, type, message, reason, retryable) => {
    const { error } = await ask(refusal(status, type, message));
    expect(error).toMatchObject({ reason, retryable, details: { apiErrorType: type } });
    expect(error?.message).toContain(`[${status}] ${message}`);
  });

  it('show no part of a key', async () => {
    const { error } = await ask(refusal(403, 'InvalidSignatureException', `the key ${SECRET} is wrong`));
    expect(error?.message).not.toContain(SECRET);
  });
});

const sha256 = (data: string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

/** Signature Version 4 of a received request, from its rules; the path is encoded once more, as all services but S3 want. */
function signatureOf({ method, path, headers, body }: ReceivedRequest, region: string): string {
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const [date = ''] = [headers['x-amz-date']].flat();
  const canonical = [
    ...[method, path.split('/').map(encodeURIComponent).join('/'), ''],
    ...names.split(';').map((name) => `${name}:${[headers[name]].flat()[0]?.trim() ?? ''}`),
    ...['', names, sha256(body === undefined ? '' : JSON.stringify(body))],
  ].join('\n');
  const scope = `${date.slice(0, 8)}/${region}/bedrock/aws4_request`;
  const key = [region, 'bedrock', 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, date.slice(0, 8)));
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
}

describe('requests to Bedrock', () => {
  it.each([
    [{}, 'us-west-2'],
    [{ bedrock_region: 'eu-central-1' }, 'eu-central-1'],
  ])('are signed for the region of %j', async (options, region) => {
    await ask(frames(whole), { options });
    const [request] = server.requests;
    if (request === undefined) throw new Error('nothing was asked');
    const signature = signatureOf(request, region);
    expect(request.headers.authorization).toMatch(
      new RegExp(
        `^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\\d{8}/${region}/bedrock/aws4_request, .*Signature=${signature}$`,
      ),
    );
    expect(request.headers.authorization).toContain('host');
    expect(JSON.stringify(request.headers)).not.toContain(SECRET);
  });

  it('carry the token of temporary keys', async () => {
    await ask(frames(whole), { apiKey: `${SIGNING}:a-session-token` });
    expect(server.requests[0]?.headers).toMatchObject({ 'x-amz-security-token': 'a-session-token' });
  });

  it('have the model in their path, with any name, and the version of the API', async () => {
    await ask(frames(whole), {}, { model: 'haiku' });
    const [request] = server.requests;
    expect(request?.path).toBe(`/v1/model/${encodeURIComponent(MODEL)}/invoke-with-response-stream`);
    expect(request?.body).toMatchObject({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 32_000 });
    expect(request?.body).not.toHaveProperty('stream');
  });

  it('S1-37, S1-38: check a key by what it signs; one that may not list is good', async () => {
    const bedrock = modelProviders.get('bedrock');
    const connection = connectionTo({ baseUrl: server.baseUrl, apiKey: SIGNING });
    const { signal } = new AbortController();
    server.play(scenes.json({ inferenceProfileSummaries: [] }));
    expect(await bedrock.checkCredentials(connection, signal)).toEqual({ ok: true });
    expect(server.requests[0]).toMatchObject({
      ...{ method: 'GET', path: '/v1/inference-profiles' },
      headers: { authorization: expect.stringContaining('Credential=AKIDEXAMPLE/') },
    });
    server.play(scenes.status(403));
    expect(await bedrock.checkCredentials(connection, signal)).toEqual({ ok: true });
    server.play(scenes.json(wire.body({ text: 'pong' })));
    expect(await bedrock.checkModel(connection, MODEL, signal)).toEqual({ ok: true });
    expect(server.requests[0]?.path).toBe(`/v1/model/${encodeURIComponent(MODEL)}/invoke`);
  });
});
