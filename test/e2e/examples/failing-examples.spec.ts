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
  readFileSync(join(EXAMPLES, path), 'utf8').includes('new Capstan('),
);

async function run(program: string, CAPSTAN_BASE_URL: string): Promise<object> {
  const { exitCode, stdout, stderr } = await execa('node', [join(EXAMPLES, program)], {
    ...{ env: { CAPSTAN_BASE_URL }, reject: false, input: 'I am Mara.\n' },
  });
  return { exitCode, stdout, stderr };
}

it.each(chosen(PROGRAMS, (program) => program === 'chat/chat.ts'))(
  'while there is no API, examples/%s says so in one line',
  async (program) => {
    const place = `127.0.0.1:${await reservePort()}`;
    expect(await run(program, `http://${place}`)).toEqual({
      ...{ exitCode: 1, stdout: '', stderr: `${place} cannot be reached, or broke off its answer.` },
    });
  },
);

it('an example that the API refuses says in one line why', async () => {
  const refusing = createServer((_request, response) => {
    response
      .writeHead(422, { 'content-type': 'application/problem+json' })
      .end('{"code":"VALIDATION_ERROR","title":"Refused","detail":"not here"}');
  });
  await once(refusing.listen(0, '127.0.0.1'), 'listening');
  const { port } = refusing.address() as AddressInfo;
  try {
    expect(await run('ask-the-docs/ask.ts', `http://127.0.0.1:${port}`)).toEqual({
      ...{ exitCode: 1, stdout: '', stderr: 'not here (VALIDATION_ERROR)' },
    });
  } finally {
    refusing.closeAllConnections();
    refusing.close();
  }
});
