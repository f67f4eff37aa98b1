import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runProgram } from '../../../packages/capstan/src/cli/program.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { ask } from '../api/http-client.js';

const HOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

/** Runs a command line against the API, with one file in place of a folder. */
async function run(argv: string, text = '', environment: Readonly<Record<string, string>> = {}) {
  let [out, err] = ['', ''];
  const exitCode = await runProgram(argv.split(' '), {
    environment: { CAPSTAN_BASE_URL: api.url, MODEL_KEY: 'sk-0123456789', HOOK_SECRET, ...environment },
    version: '0.1.0',
    write: (line) => (out += line),
    writeError: (line) => (err += line),
    isTerminal: false,
    canAsk: false,
    columns: null,
    ask: () => Promise.reject(new Error('no terminal')),
    readInput: () => Promise.reject(new Error('no input')),
    readFiles: (path) => Promise.resolve(text === '' ? [] : [{ path: `${path}/a.yaml`, text }]),
    signal: new AbortController().signal,
    now: () => 0,
    fetch: (...request) => fetch(...request),
    loadService: () => Promise.reject(new Error('no programs')),
  });
  return { exitCode, out, err };
}

const FILE = `
kind: agent
name: Lead
usecase_type: BASIC_CHAT
llm: Ours
system_prompt: You lead.
tools:
  agents: [{ name: ask_helper, description: Helps., effect: read, agent: Helper }]
  search_knowledge: { datasource_ids: [handbook] }
---
kind: agent
name: Helper
usecase_type: BASIC_CHAT
llm: Ours
---
kind: llm
name: Ours
model: sim-echo
credentials: { openai_api_key: "\${env:MODEL_KEY}" }
---
kind: skill
name: late-parcels
description: How to handle a late parcel.
content: Find it first.
---
kind: tool_server
name: crm
type: http
config: { url: "https://crm.example.com/mcp", headers_template: { authorization: "Bearer \${env:MODEL_KEY}" } }
---
kind: datasource
name: handbook
llm_id: Ours
embed_model: e
dimensions: 8
---
kind: webhook_endpoint
name: shop
url: https://example.com/hook
secret: "\${env:HOOK_SECRET}"
`;
const ALL = 7;

const lines = (text: string): string[] => text.trimEnd().split('\n');
const versions = (): Promise<unknown> =>
  api.dataSource.query(
    `SELECT 'agent' AS kind, name, version FROM agent UNION ALL SELECT 'llm', name, version FROM llm
     UNION ALL SELECT 'skill', name, version FROM skill UNION ALL SELECT 'tool_server', name, version FROM tool_server
     UNION ALL SELECT 'datasource', name, version FROM datasource ORDER BY 1, 2`,
  );

describe('resources in files', () => {
  it('are planned, applied in the order of their references, and a second apply changes nothing', async () => {
    const before = await versions();
    const planned = await run('apply -f dir --dry-run', FILE);
    expect([planned.exitCode, planned.err]).toEqual([0, '']);
    expect(lines(planned.out)).toEqual([
      ...['+ llm Ours', '+ skill late-parcels', '+ tool_server crm', '+ datasource handbook'],
      ...['+ agent Helper', '+ agent Lead', '+ webhook_endpoint shop'],
      '7 to create, 0 to change, 0 to delete, 0 unchanged.',
    ]);
    expect((await run('diff -f dir', FILE)).exitCode).toBe(8);
    expect(await versions()).toEqual(before);

    expect((await run('apply -f dir', FILE)).exitCode).toBe(0);
    const applied = await versions();
    const again = await run('apply -f dir', FILE);
    expect([again.exitCode, lines(again.out).at(-1)]).toEqual([
      0,
      '0 to create, 0 to change, 0 to delete, 7 unchanged.',
    ]);
    expect(await versions()).toEqual(applied);
    expect((await run('diff -f dir', FILE)).exitCode).toBe(0);
  });

  it('are changed where they differ, which the plan names, and --json answers a line for each', async () => {
    const changed = FILE.replace('You lead.', 'You lead well.').replace('Find it first.', 'Find it now.');
    const { exitCode, out } = await run('diff -f dir --json', changed, { MODEL_KEY: 'sk-9876543210' });
    const steps = lines(out).map((line) => JSON.parse(line) as { outcome: string; name: string });
    expect(exitCode).toBe(8);
    expect(steps).toHaveLength(ALL);
    expect(steps.filter(({ outcome }) => outcome === 'changed')).toMatchObject([
      { kind: 'llm', name: 'Ours', changed_fields: ['credentials'], file: 'dir/a.yaml', line: 16 },
      { name: 'late-parcels', changed_fields: ['content'] },
      { name: 'crm', changed_fields: ['config'] },
      { name: 'Lead', changed_fields: ['system_prompt'] },
    ]);
    expect(out).not.toContain('sk-9876543210');
  });

  it.each<[string, string, string]>([
    [
      'a field that the service refuses',
      FILE.replace('dimensions: 8', 'dimensions: 0'),
      'dir/a.yaml:35: dimensions: ',
    ],
    [
      'one that is misspelt',
      FILE.replace('system_prompt', 'system_promt'),
      'dir/a.yaml:6: system_promt: is not a known field',
    ],
    [
      'a name that is not there',
      FILE.replace('agent: Helper', 'agent: Nobody'),
      'dir/a.yaml:8: tools.agents.0.agent: there is no agent "Nobody"',
    ],
    [
      'a name of a tool server that is not allowed',
      FILE.replace('name: crm', 'name: CRM'),
      'dir/a.yaml:27: name: must be lower case',
    ],
    [
      'a variable that is not set',
      FILE.replace('MODEL_KEY', 'NONE'),
      'dir/a.yaml:19: credentials.openai_api_key: the environment has no NONE',
    ],
    ['no YAML', `${FILE}\n---\n"`, 'dir/a.yaml:43: '],
  ])('apply nothing where one has %s', async (_name, text, message) => {
    const before = await versions();
    const fresh = text.replaceAll('late-parcels', 'never-made');
    for (const command of ['apply', 'apply --dry-run', 'diff']) {
      const { exitCode, err } = await run(`${command} -f dir`, fresh);
      expect([exitCode, lines(err)[0]]).toEqual([1, expect.stringContaining(message)]);
    }
    const { err } = await run('apply -f dir --json', fresh);
    expect(JSON.parse(lines(err)[0] ?? '')).toMatchObject({ error: { file: 'dir/a.yaml' } });
    expect(await versions()).toEqual(before);
  });

  it('are pruned only where this set of files has applied them', async () => {
    await ask(api.url, '/api/skills/', { json: { name: 'by-hand', description: 'x', content: 'x' } });
    const skill = (name: string) => `---\nkind: skill\nname: ${name}\ndescription: x\ncontent: x\n`;
    const agent = `---\nkind: agent\nname: Temporary\nusecase_type: BASIC_CHAT\nllm: Own\n---\nkind: llm\nname: Own\nmodel: sim-echo\n`;
    await run('apply -f dir --managed-by one', skill('first') + skill('second') + agent);
    await run('apply -f dir --managed-by two', skill('third'));

    const planned = await run('apply -f dir --managed-by one --prune --dry-run', skill('first'));
    expect(lines(planned.out)).toEqual([
      ...['= skill first', '- agent Temporary', '- skill second', '- llm Own'],
      '0 to create, 0 to change, 3 to delete, 1 unchanged.',
    ]);
    const { exitCode, err } = await run('apply -f dir --managed-by one --prune', skill('first'));
    // An inactive agent still refers to its model configuration.
    expect([exitCode, err]).toEqual([1, expect.stringContaining('LLM_IN_USE')]);
    const { body } = await ask(api.url, '/api/skills/?limit=100');
    const names = (body.data as { readonly name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['by-hand', 'first', 'third', 'late-parcels']));
    expect(names).not.toContain('second');
  });

  it('are exported without ids and secrets, and applied again change nothing', async () => {
    const { exitCode, out } = await run('export');
    expect(exitCode).toBe(0);
    expect(out).not.toContain('sk-0123456789');
    expect(out).toContain('llm: Ours');
    expect(out).toContain('agent: Helper');
    const again = await run('diff -f dir', out);
    expect([lines(again.out).filter((line) => !line.startsWith('=')), again.err]).toEqual([
      [expect.stringContaining('0 to create, 0 to change')],
      '',
    ]);
    expect(again.exitCode).toBe(0);
    const skills = await run('export --kinds skill --json');
    expect(lines(skills.out).map((line) => JSON.parse(line) as unknown)).toContainEqual({
      kind: 'skill',
      name: 'late-parcels',
      description: 'How to handle a late parcel.',
      content: 'Find it first.',
      is_active: true,
    });
  });

  it('need a file, a kind that is known, and an answer', async () => {
    expect((await run('apply')).exitCode).toBe(2);
    expect((await run('apply -f dir')).exitCode).toBe(2);
    expect((await run('export --kinds robot')).exitCode).toBe(2);
    const gone = await run('apply -f dir --base-url http://127.0.0.1:1', FILE);
    expect(gone.exitCode).toBe(7);
  });
});
