import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { ROOT } from './repository-files.js';
import { LINTER_TIME_LIMIT_MS } from './linter-time-limit.js';

interface Json {
  [key: string]: Json;
}

/** Mistakes in the description of one operation, and the message that reports each. */
const MISTAKES: readonly (readonly [string, (submit: Json) => void, string])[] = [
  ['no description', (submit) => delete submit.description, 'it has no description'],
  [
    'an example that its schema refuses',
    (submit) => Object.assign(submit.requestBody?.content?.['application/json']?.example ?? {}, { inptu: 1 }),
    'oas3-valid-media-example',
  ],
  [
    'a tag without a description',
    (submit) => Object.assign(submit, { tags: ['oracles'] }),
    'operation-tag-defined',
  ],
  [
    'a parameter without description',
    (submit) => delete submit.parameters?.['0']?.description,
    'oas3-parameter-description',
  ],
  [
    'the id of another operation',
    (submit) => Object.assign(submit, { operationId: 'listAgents' }),
    'redocly operation-operationId-unique',
  ],
  [
    'a reference to nothing',
    (submit) => Object.assign(submit.responses ?? {}, { '404': { $ref: '#/components/responses/Nothing' } }),
    'redocly no-unresolved-refs',
  ],
];

const SUBMIT = '/api/agents/{id}/execute/';
/** Path of the operation `listAgents`. */
const AGENTS = '/api/agents/';

let folder: string;
let said: string;

/** Lints all mistakes in one run, because most of the time is the start of the linters. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-openapi-'));
  const document = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8')) as Json;
  const { [SUBMIT]: submit, [AGENTS]: agents } = document.paths ?? {};
  // Two paths suffice; the linters' time grows with the size of the document.
  Object.assign(document, { paths: { [SUBMIT]: submit, [AGENTS]: agents } });
  for (const [, mistake] of MISTAKES) mistake(submit?.post ?? {});
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const { stderr, exitCode } = await execa('node', ['scripts/openapi.mjs', file], {
    cwd: ROOT,
    reject: false,
  });
  expect(exitCode).toBe(1);
  said = stderr;
}, LINTER_TIME_LIMIT_MS);
afterAll(() => rm(folder, { recursive: true }));

it.each(MISTAKES)('the document of the API is refused with %s', (_what, _mistake, rule) => {
  expect(said).toContain(rule);
});
