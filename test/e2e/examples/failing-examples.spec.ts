import { createServer } from 'node:http';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { execa } from 'execa';
import { reservePort } from '../../support/services/reserve-port.js';
import { chosen } from '../../support/selection.js';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const PROGRAMS = globSync('*/*.ts', { cwd: EXAMPLES }).filter((path) =>
  readFileSync(join(EXAMPLES, path), 'utf8').includes('createApiClient('),
);

async function run(program: string, API: string): Promise<object> {
  const { exitCode, stdout, stderr } = await execa('node', [join(EXAMPLES, program)], {
    ...{ env: { API }, reject: false, input: 'I am Mara.\n' },
  });
  return { exitCode, stdout, stderr };
}

it.each(chosen(PROGRAMS, (program) => program === 'chat/chat.ts'))(
  'while there is no API, examples/%s says in one line what to start',
  async (program) => {
    const API = `http://127.0.0.1:${await reservePort()}`;
    const hint =
      'Start it with `npm run quickstart`; where that names another address, set API to it, or say `npm run example`, which finds it.';
    expect(await run(program, API)).toEqual({
      ...{ exitCode: 1, stdout: '', stderr: `Nothing answers at ${API}. ${hint}` },
    });
  },
);

it('an example that the API refuses says in one line why', async () => {
  const refusing = createServer((_request, response) => {
    response.writeHead(422, { 'content-type': 'application/problem+json' }).end('{"detail":"not here"}');
  });
  await once(refusing.listen(0, '127.0.0.1'), 'listening');
  const { port } = refusing.address() as AddressInfo;
  try {
    expect(await run('ask-the-docs/ask.ts', `http://127.0.0.1:${port}`)).toEqual({
      ...{ exitCode: 1, stdout: '', stderr: 'GET /api/datasources/ answered 422: not here' },
    });
  } finally {
    refusing.closeAllConnections();
    refusing.close();
  }
});
