import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { sendBytes } from './raw-socket.js';

const CLOSE = 'Host: 127.0.0.1\r\nConnection: close\r\n\r\n';
const get = (target: string, headers = ''): string => `GET ${target} HTTP/1.1\r\n${headers}${CLOSE}`;

let deployment: Deployment;
let processes: Record<'api' | 'worker', ServiceProcess>;

beforeAll(async () => {
  deployment = await Deployment.open('postgres');
  const [api, worker] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
  processes = { api: api.process, worker };
});
afterAll(() => deployment.close());

describe.each(['api', 'worker'] as const)('the %s', (name) => {
  const url = (): string => processes[name].url;

  async function expectAlive(): Promise<void> {
    expect((await fetch(`${url()}/healthz`)).status).toBe(200);
    expect(processes[name].hasEnded).toBe(false);
  }

  it.each<[what: string, bytes: string, statuses: number[]]>([
    ['two slashes as path', get('//'), [404]],
    ['three slashes and a host', get('///example.com//'), [404]],
    ['a port that is none', get('//x:99999999'), [404]],
    ['a path that is no URL', get('//[::'), [404]],
    ['percent signs that encode nothing', get('/%'), [400]],
    ['a percent sign in the middle of healthz', get('/healthz%'), [400]],
    ['half a character', get('/%E0%A4%A/'), [400]],
    ['a NUL', get('/%00'), [404]],
    ['backslashes', get('\\\\healthz'), [400]],
    ['a whole URL as target', get('http://127.0.0.1/healthz'), [200]],
    ['a whole URL of another host', get('http://example.com//'), [404]],
    ['a target of another scheme', get('ftp://[::'), [404]],
    ['a star', get('*'), [404]],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${CLOSE}`, [404]],
    ['CONNECT', `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${CLOSE}`, []],
    ['an upgrade', get('/nothing', 'Connection: upgrade\r\nUpgrade: websocket\r\n'), [404]],
    [
      'an upgrade to HTTP/2',
      get('/nothing', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n'),
      [404],
    ],
    ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['an expectation that cannot be met', get('/nothing', 'Expect: the-unexpected\r\n'), [417]],
    ['a long expectation', get('/nothing', `Expect: ${'x'.repeat(4_000)}\r\n`), [417]],
    ['100-continue without a body', get('/healthz', 'Expect: 100-continue\r\n'), [100, 200]],
    ['more headers than there is room for', get('/', `x: ${'y'.repeat(100_000)}\r\n`), [431]],
    ['a thousand headers', get('/nothing', 'x: y\r\n'.repeat(1_000)), [431]],
    ['a header without a name', get('/', ': x\r\n'), [400]],
    ['a header with a NUL', get('/', 'x: a\0b\r\n'), [400]],
    ['two lengths', get('/', 'Content-Length: 1\r\nContent-Length: 2\r\n'), [400]],
    ['a length and chunks', get('/', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'), [400]],
    ['a length below zero', get('/', 'Content-Length: -1\r\n'), [400]],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', [400]],
    ['an unknown method', `BREW / HTTP/1.1\r\n${CLOSE}`, [400]],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
    ['a line that is not HTTP', 'EHLO example.com\r\n\r\n', [400]],
  ])('answers %s', async (_what, bytes, statuses) => {
    const answer = await sendBytes(url(), Buffer.from(bytes, 'latin1'));

    expect(answer.statuses).toEqual(statuses);
    const isProblem = answer.text.includes('content-type: application/problem+json');
    expect(isProblem).toBe(answer.statuses.some((status) => status >= 400));
    await expectAlive();
  });

  it.each([
    ['garbage behind a good request', 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n\0\r\n\r\n'],
    ['a chunk of no size', `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${CLOSE}zz\r\n`],
  ])('answers %s, or hangs up', async (_what, bytes) => {
    const { statuses } = await sendBytes(url(), bytes);

    expect([404, 400].slice(0, statuses.length)).toEqual(statuses);
    await expectAlive();
  });

  it('outlives clients that say nothing more', async () => {
    const beginnings = [
      '',
      'G',
      'GET /healthz HTTP/1.1\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
    ];
    const sockets = Array.from({ length: 200 }, (_unused, index) => open(beginnings[index % 4] ?? ''));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));

    await expectAlive();

    for (const socket of sockets) socket.resetAndDestroy();
    await expectAlive();
  });

  function open(bytes: string): Socket {
    const { hostname, port } = new URL(url());
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).write(bytes);
    return socket;
  }

  it('survives any bytes', async () => {
    const piece = fc.constantFrom(
      ...[
        'GET ',
        'POST ',
        'OPTIONS ',
        'CONNECT ',
        '/',
        '//',
        '*',
        'http://',
        '[::',
        '%',
        '%zz',
        '?',
        '#',
        '\\',
      ],
      ...[
        '/api/agents/',
        '/api/agents/1/execute/',
        '/healthz',
        ' HTTP/1.1\r\n',
        ' HTTP/1.0\r\n',
        '\r\n',
        '\r\n\r\n',
      ],
      ...['Host: x\r\n', 'Host:\r\n', 'Expect: 100-continue\r\n', 'Expect: x\r\n', 'Content-Length: 5\r\n'],
      ...[
        'Transfer-Encoding: chunked\r\n',
        'Content-Type: application/json\r\n',
        'Upgrade: x\r\n',
        '{"a":',
        '0\r\n\r\n',
      ],
      ...[
        'Connection: upgrade\r\n',
        'Connection: close\r\n',
        'Authorization: Bearer csk_\r\n',
        'Prefer: wait=1\r\n',
        '\0',
        '\xff',
      ],
    );
    const bytes = fc
      .array(fc.oneof({ weight: 5, arbitrary: piece }, fc.string({ unit: 'binary', maxLength: 20 })), {
        maxLength: 24,
      })
      .map((pieces) => Buffer.from(pieces.join(''), 'latin1'));

    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        const { statuses } = await sendBytes(url(), sent, { half: true });
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
        expect(processes[name].hasEnded).toBe(false);
      }),
      { numRuns: 400 },
    );

    await expectAlive();
    expect(processes[name].log).not.toMatch(/TypeError|ERR_INVALID_URL|uncaught|unhandled/i);
  });
});
