import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

type Behaviour = (response: ServerResponse) => void;

const JSON_TYPE = { 'content-type': 'application/json' };
const A_MEGABYTE = Buffer.alloc(1_048_576, ' ');
/** 64 MiB in less than 100 kB: hundreds of times every limit on the size of an answer. */
const BOMB = gzipSync(Buffer.alloc(67_108_864, ' '));

export function answering(status: number, body: string | Buffer, headers: object = JSON_TYPE): Behaviour {
  return (response) => void response.writeHead(status, { ...headers }).end(body);
}

/** Sends bodies that never end, and counts the bytes until the client closes the connection. */
export class EndlessBodies {
  sent = 0;

  readonly begin: Behaviour = (response) => {
    response.writeHead(200, JSON_TYPE);
    const send = (): void => {
      while (!response.destroyed && response.writable) {
        this.sent += A_MEGABYTE.length;
        if (!response.write(A_MEGABYTE)) return;
      }
    };
    response.on('drain', send);
    response.on('error', () => undefined);
    send();
  };
}

/**
 * The hostile answers of an authorization server, the same for every request.
 *
 * @param inside the URL that the server tries to lead the client to
 */
export function hostileAnswers(inside: string, endless: EndlessBodies): (readonly [string, Behaviour])[] {
  const redirect = (status: number, location: string): Behaviour => answering(status, '', { location });
  return [
    ['says nothing', answering(200, '')],
    ['answers no JSON', answering(200, '<html>', { 'content-type': 'text/html' })],
    ['answers half of it', answering(200, '{"issuer":')],
    ...['null', '[]', '"text"', '7', '{}', '[[[[]]]]'].map(
      (text) => [`answers ${text}`, answering(200, text)] as const,
    ),
    ['answers JSON of many levels', answering(200, '['.repeat(100_000) + ']'.repeat(100_000))],
    ['answers much too much', answering(200, JSON.stringify({ issuer: 'a'.repeat(1_000_000) }))],
    ['answers a bomb', answering(200, BOMB, { ...JSON_TYPE, 'content-encoding': 'gzip' })],
    ['never ends', endless.begin],
    [
      'breaks off',
      (response) => void response.writeHead(200, JSON_TYPE).write('{', () => response.destroy()),
    ],
    ['hangs up', (response) => void response.destroy()],
    ...[204, 400, 401, 403, 404, 418, 429, 500, 503].map(
      (status) => [`answers ${status}`, answering(status, '')] as const,
    ),
    ...['constructor', '__proto__', 'toString', 'sk-canary-of-a-client'].map(
      (error) => [`refuses with ${error}`, answering(400, JSON.stringify({ error }))] as const,
    ),
    ...[301, 302, 303, 307, 308].map(
      (status) => [`sends on inside by ${status}`, redirect(status, inside)] as const,
    ),
    ['sends on to nowhere', redirect(307, 'http://[::1/')],
    ['sends on in circles', redirect(307, '?again')],
  ];
}
