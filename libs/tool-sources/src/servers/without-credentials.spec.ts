import { describe, expect, it } from '@jest/globals';
import {
  mayHaveTakenEffect,
  PassingFailure,
  ToolOutcomeUnknown,
  ToolServerFailure,
  type ServerCredentials,
  type ToolContext,
  type ToolReturn,
  type ToolServerDriver,
} from '#libs/tooling';
import { aServerTool, aToolServer } from '../../../../test/support/builders/tool-server.js';
import { ScriptedDriver, type Script } from '../../../../test/support/fakes/scripted-driver.js';
import { fillCredentials } from './fill-credentials.js';
import { hideSecrets } from './hide-secrets.js';
import { openServer } from './open-server.js';

const TOKEN = 'canary9f"27c1/e4+x';
const PASSWORD = 'a long password';
const SERVER = aToolServer('crm', {
  connection: {
    type: 'http',
    config: {
      url: 'https://crm.example.com/mcp',
      headers_template: {
        Authorization: 'Bearer ${crm}',
        'X-Key': 'key=${crm};v=1',
        'X-Own': PASSWORD,
        'Accept-Language': 'de-CH,de-DE',
      },
    },
  },
});
const CREDENTIALS = fillCredentials(SERVER, { crm: TOKEN, other: 'not asked for' });
/** Forms in which a server may echo the token. */
const ECHOES = [
  ...[TOKEN, `Bearer ${TOKEN}`, JSON.stringify({ said: TOKEN }), encodeURIComponent(TOKEN), PASSWORD],
  ...[Buffer.from(TOKEN).toString('base64'), Buffer.from(TOKEN).toString('base64url')],
];

const open = (script: Script, credentials: ServerCredentials = CREDENTIALS) =>
  openServer({ http: new ScriptedDriver(script) }, SERVER, credentials, null, new AbortController().signal);

async function callOf(run: (context: ToolContext) => ToolReturn | Promise<ToolReturn>) {
  const progress: unknown[] = [];
  const events = { progress: (far: unknown) => void progress.push(far) };
  const tool = aServerTool('look', { run: async (_input, context) => run(context) });
  const opened = await open(() => ({ tools: [tool] }));
  const context = { events } as unknown as ToolContext;
  const answer: unknown = await opened.tools[0]?.run({}, context).catch((error: unknown) => error);
  return { answer, progress };
}

const clean = (value: unknown): void => {
  const text = JSON.stringify(value);
  for (const echo of ECHOES) expect(text.includes(echo)).toBe(false);
};

describe('a server that sends its credentials back', () => {
  it.each(ECHOES)('in a result, in texts, in structured content and in files: %s', async (echo) => {
    const result = { status: 'success' as const, result: { [echo]: [{ deep: echo }] } };
    const { answer } = await callOf(() => ({
      result,
      outputs: [
        { type: 'text', text: `you sent ${echo}` },
        { type: 'json', json: { echo } },
        { type: 'link', url: `https://example.com/?t=${echo}` },
        {
          ...{ type: 'blob', mimeType: 'text/plain', filename: `${echo}.txt` },
          base64: Buffer.from(`a ${echo} z`).toString('base64'),
        },
      ],
    }));
    clean(answer);
    const [text, , , file] = (answer as Required<ToolReturn>).outputs;
    expect(text).toEqual({ type: 'text', text: expect.stringMatching(/^you sent .*\[redacted\]/) });
    const bytes = file?.type === 'blob' ? Buffer.from(file.base64, 'base64').toString() : '';
    expect(bytes).toMatch(/^a .*\[redacted\].* z$/);
  });

  it('leaves the bytes of a file that does not hold them', async () => {
    const base64 = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('base64');
    const blob = { type: 'blob' as const, base64, mimeType: 'image/png', filename: 'a.png' };
    const { answer } = await callOf(() => ({ result: { status: 'success', result: {} }, outputs: [blob] }));
    expect((answer as ToolReturn).outputs).toEqual([blob]);
  });

  it('in descriptions, schemas, names and warnings', async () => {
    const opened = await open(() => ({
      warnings: [`left out: ${TOKEN}`],
      tools: [
        aServerTool('look', {
          description: `Send ${TOKEN} along.`,
          label: TOKEN,
          inputSchema: { type: 'object', properties: { a: { const: TOKEN }, [TOKEN]: {} } },
        }),
        aServerTool(`x${PASSWORD}`),
      ],
    }));
    clean(opened);
    expect(opened.tools.map(({ name, description }) => [name, description])).toEqual([
      ['look', 'Send [redacted] along.'],
    ]);
    expect(opened.warnings).toEqual([
      'left out: [redacted]',
      'a tool that is named like a credential is left out',
    ]);
  });

  it('in progress and in what it has thrown, whose kind stays as it is', async () => {
    const { answer, progress } = await callOf(({ events }) => {
      events.progress({ message: `at ${TOKEN}`, done: 1 });
      throw new ToolOutcomeUnknown(TOKEN, { cause: new Error(TOKEN) });
    });
    expect(progress).toEqual([{ message: 'at [redacted]', done: 1 }]);
    expect(answer).toBeInstanceOf(ToolOutcomeUnknown);
    expect(mayHaveTakenEffect(answer)).toBe(true);
    const { message, stack, cause } = answer as Error;
    clean([message, stack, (cause as Error).message, (cause as Error).stack]);
  });

  it('in what it says of a failure that passes', async () => {
    const { answer } = await callOf(() => {
      throw new PassingFailure({ result: { status: 'error', result: { message: TOKEN } } }, 503);
    });
    expect(answer).toMatchObject({ status: 503, answer: { result: { result: { message: '[redacted]' } } } });
  });

  it('in what it says of arguments that do not fit', async () => {
    const readInput = () => ({ success: false as const, reasons: [`must be ${TOKEN}`] });
    const opened = await open(() => ({ tools: [aServerTool('look', { readInput })] }));
    expect(opened.tools[0]?.readInput?.({})).toEqual({ success: false, reasons: ['must be [redacted]'] });
  });

  it('while it is opened', async () => {
    const failure = await open(() => {
      throw new ToolServerFailure('protocol', `what is ${TOKEN}?`);
    }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ fault: 'protocol', message: 'what is [redacted]?' });
  });

  it('nested without end', async () => {
    let deep: unknown = TOKEN;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const { answer } = await callOf(
      () => ({ result: { status: 'success', result: { deep } } }) as ToolReturn,
    );
    clean(answer);
  });
});

it('texts without a secret stay: common headers, short words, tokens that no template names', async () => {
  const text = 'de-CH,de-DE is not asked for; Bearer; v=1';
  const { answer } = await callOf(() => ({
    result: { status: 'success', result: {} },
    outputs: [{ type: 'text', text }],
  }));
  expect((answer as ToolReturn).outputs).toEqual([{ type: 'text', text }]);
});

it('access tokens are known again that were sent, or are in use by others', async () => {
  const access = {
    holder: 'us',
    current: () => Promise.resolve('access-token-1'),
    renew: () => Promise.resolve('access-token-2'),
  };
  const credentials = { headers: {}, query: {}, env: {}, security: {}, missing: [], access };
  const driver: ToolServerDriver = {
    open: async (_server, given, _run, signal) => {
      const challenge = { status: 401 as const, scope: null, resourceMetadata: null };
      const renewed = await given.access?.renew('x', challenge, signal);
      const said = `${renewed} and access-token-1`;
      const run = () => Promise.resolve({ result: { status: 'success' as const, result: { said } } });
      const tools = [aServerTool('look', { description: said, run })];
      return { tools, warnings: [said], close: () => Promise.resolve() };
    },
  };
  const signal = new AbortController().signal;
  const opened = await openServer({ http: driver }, SERVER, credentials, null, signal);
  const answer = await opened.tools[0]?.run({}, { signal } as ToolContext);
  const hidden = '[redacted] and [redacted]';
  expect([opened.warnings, opened.tools[0]?.description]).toEqual([[hidden], hidden]);
  expect(answer?.result.result).toEqual({ said: hidden });
});

describe('a text that a service has cut', () => {
  const GIVEN = 'user-token/0123456789+abcdefghij';
  const LITERAL = 'tenant-literal-9876543210';
  const ACCESS = 'access-token.qrstuvwxyz-5555';
  const CALLBACK = 'https://hooks.example.com/in???>>>';
  const cutServer = aToolServer('crm', {
    connection: {
      type: 'http',
      config: {
        url: 'https://crm.example.com/mcp',
        headers_template: {
          ...{ 'X-Key': 'v=${crm}', Authorization: `Bearer ${LITERAL}` },
          'X-Callback': CALLBACK,
        },
      },
    },
  });
  const shown = (text: string): string | undefined =>
    hideSecrets(fillCredentials(cutServer, { crm: GIVEN }), new Set([ACCESS]))?.(text);

  it.each([
    ['its beginning, where it was cut', `you sent ${GIVEN.slice(0, 20)}…`, 'you sent [redacted]…'],
    ['its end', `…${GIVEN.slice(-16)}`, '…[redacted]'],
    ['a part of it', GIVEN.slice(5, 25), '[redacted]'],
    ['two parts', `${GIVEN.slice(0, 16)} and ${GIVEN.slice(9)}`, '[redacted] and [redacted]'],
    ['all of it, and a part', `${GIVEN}${GIVEN.slice(0, 17)}`, '[redacted][redacted]'],
    ['what a tenant has written down', `Bearer ${LITERAL.slice(0, 18)}`, '[redacted]'],
    ['an access token', `Bearer ${ACCESS.slice(0, 18)}`, 'Bearer [redacted]'],
    ['in Base64', Buffer.from(GIVEN.slice(0, 18)).toString('base64'), '[redacted]'],
    ['percent-encoded', encodeURIComponent(GIVEN).slice(0, 20), '[redacted]'],
    ['less than 16 characters', GIVEN.slice(0, 15), GIVEN.slice(0, 15)],
    ['an address in the other Base64', Buffer.from(CALLBACK).toString('base64url'), '[redacted]'],
    ['a part of an address', 'https://hooks.example.com/out', 'https://hooks.example.com/out'],
  ])('shows nothing of a credential: %s', (_what, text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});

it('a server without credentials is left as it is', async () => {
  const tool = aServerTool('look');
  const none = { headers: {}, query: {}, env: {}, security: {}, missing: [] };
  expect((await open(() => ({ tools: [tool] }), none)).tools[0]).toBe(tool);
});
