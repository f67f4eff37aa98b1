import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../test/support/services/wait-for.js';
import { identifyProcess, isStillRunning, type ProcessIdentity } from '../bootstrap/process-identity.mjs';
import { startService, waitUntilReady } from './service-process.ts';

const MODULE = new URL('service-process.ts', import.meta.url).href;
const LIVES_ON = 'setInterval(() => undefined, 1_000);';

describe('a service of a command', () => {
  let root: string;
  const env = { PATH: process.env['PATH'] ?? '' };
  const write = (entry: string, text: string): string => {
    writeFileSync(join(root, entry), text);
    return entry;
  };

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'capstan-service-'));
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('ends when the command is killed, which cannot end it any more', async () => {
    const entry = write('survivor.mjs', LIVES_ON);
    const options = JSON.stringify({ name: 'survivor', entry, root, logs: root, env });
    const command = spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { startService } from '${MODULE}'; console.log(JSON.stringify(startService(${options}).identity)); ${LIVES_ON}`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(createInterface({ input: command.stdout }), 'line')) as [string];
    const service = JSON.parse(line) as ProcessIdentity;
    expect(isStillRunning(service)).toBe(true);

    command.kill('SIGKILL');

    await waitFor(() => !isStillRunning(service), { description: 'the service to end' });
  });

  it('is killed with everything it has started when it does not end in time', async () => {
    const child = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(Object, 1000)']).pid`;
    const entry = write(
      'stubborn.cjs',
      `process.on('SIGTERM', () => undefined); console.log('child', ${child}); ${LIVES_ON}`,
    );
    const lines: string[] = [];
    const service = startService({
      name: 'stubborn',
      entry,
      root,
      logs: root,
      env,
      onLine: (line) => lines.push(line),
    });
    await waitFor(() => lines.length > 0, { description: 'its first line' });
    const started = identifyProcess(Number(lines[0]?.split(' ')[1]));
    if (started === null) throw new Error('the service started no child');

    await service.stop(1);

    expect((await service.exited).reason).toMatch(/^stubborn ended \(signal SIGKILL\):\n {2}child \d+$/);
    await waitFor(() => !isStillRunning(started), { description: 'its child to end' });
  });

  it('says in its last lines why it did not become ready', async () => {
    const entry = write(
      'failing.mjs',
      `console.log(JSON.stringify({ msg: 'cannot start', err: { message: 'no database' } })); throw new Error('broken');`,
    );
    const service = startService({ name: 'failing', entry, root, logs: root, env });
    const signal = new AbortController().signal;

    const waiting = waitUntilReady({ url: 'http://127.0.0.1:9/readyz', service, signal });

    await expect(waiting).rejects.toThrow(
      /^failing ended \(exit code 1\):[^]*cannot start: no database[^]*broken/,
    );
  });

  it('is ready once it answers 2xx', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const service = startService({ name: 'slow', entry: write('slow.mjs', LIVES_ON), root, logs: root, env });

    await waitUntilReady({ url: `http://127.0.0.1:${port}/`, service, signal: new AbortController().signal });

    expect(asked).toBe(3);
    await service.stop(10_000);
    server.close();
  });
});
