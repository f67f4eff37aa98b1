import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { ExecutionView } from '#libs/payloads';
import { whenAllRun } from '../../support/selection.js';
import { scripted } from '../../support/services/api-client.js';
import type { ExampleStack } from './example-stack.js';

const ROOT = join(import.meta.dirname, '../../..');
const EXAMPLE = join(ROOT, 'examples/tool-servers');

/** Automates `examples/tool-servers/README.md`. */
export function toolServers(stack: () => ExampleStack): void {
  let servers: ChildProcess;
  let base: string;

  beforeAll(async () => {
    servers = spawn(process.execPath, [join(EXAMPLE, 'serve.mjs'), '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: servers.stdout as NodeJS.ReadableStream });
    [base] = (await once(lines, 'line')) as [string];
  });
  afterAll(() => {
    servers.kill();
  });

  async function make<Made>(path: string, body: object, status = 201): Promise<Made> {
    const answer = await stack().api.post(path, body);
    const text = await answer.text();
    expect([answer.status, text]).toEqual([status, expect.anything()]);
    return JSON.parse(text) as Made;
  }

  it('an agent reads from an MCP server and writes to an HTTP service with the token of a request (S4-8, S4-9, S4-10)', async () => {
    const document = await readFile(join(EXAMPLE, 'parcels.openapi.json'), 'utf8');
    const orders = await make<{ id: string }>('/api/mcp-servers/', {
      ...{ name: 'orders', type: 'http', config: { url: `${base}/mcp` } },
      tools: { find_order: { effect: 'read' } },
    });
    await make('/api/mcp-servers/', {
      name: 'parcels',
      type: 'openapi',
      config: { document, base_url: base, headers_template: { Authorization: 'Bearer ${parcels}' } },
    });
    const probe = await make(`/api/mcp-servers/${orders.id}/probe/`, {}, 200);
    expect(probe).toMatchObject({ ok: true, tools: [{ name: 'mcp__orders__find_order', effect: 'read' }] });
    const llm = await make<{ id: number }>('/api/llms/', { name: 'of the shipper', model: 'sim-script' });
    const agent = await make<{ id: number }>('/api/agents/', {
      ...{ name: 'shipper', usecase_type: 'BASIC_CHAT', llm: llm.id },
      tools: { servers: ['mcp__orders__find_order', 'mcp__parcels__*'] },
    });
    const parcel = { to: 'Mara', holds: 'two boxes of tea' };
    const accepted = await make<ExecutionView>(
      `/api/agents/${agent.id}/execute/`,
      {
        input: scripted(
          { calls: [{ name: 'mcp__orders__find_order', arguments: { order: 7 } }] },
          { calls: [{ name: 'mcp__parcels__send_parcel', arguments: parcel }] },
          { text: 'It is on its way.' },
        ),
        tokens: { parcels: 'parcel-token' },
      },
      202,
    );
    const view = await stack().api.settled(accepted.id);
    expect(view).toMatchObject({
      status: 'completed',
      result: { message: { content: 'It is on its way.' } },
    });
    const steps = await stack().api.get<{ data: { tool_name: string; status: string; output: string }[] }>(
      `/api/executions/${accepted.id}/steps/`,
    );
    expect(steps.data).toMatchObject([
      { tool_name: 'mcp__orders__find_order', status: 'succeeded' },
      { tool_name: 'mcp__parcels__send_parcel', status: 'succeeded' },
    ]);
    const headers = { authorization: 'Bearer parcel-token' };
    expect(await (await fetch(`${base}/parcels`, { headers })).json()).toEqual([{ id: 1, ...parcel }]);
    expect(JSON.stringify([view, steps])).not.toContain('parcel-token');
  });

  it('npm run example has the simulated model call both, and leaves the agents that are there alone', async () => {
    const { api } = stack();
    const before = await api.get('/api/agents/1/');
    const run = (): Promise<{ stdout: string; stderr: string }> =>
      execa('npm', ['run', '--silent', 'example', '--', 'tool-servers'], {
        cwd: ROOT,
        env: { API: api.url },
      });
    const first = await run();
    expect(first.stderr).toContain('Has an agent of its own look an order up');
    expect(first.stdout.split('\n')).toEqual([
      'mcp__orders__find_order: succeeded',
      'mcp__parcels__send_parcel: succeeded',
      'Two boxes of tea are on their way to Mara.',
      'sent by the service: [{"id":1,"to":"Mara","holds":"two boxes of tea"}]',
    ]);
    // A second run, with servers on other ports, updates the servers of the same names.
    expect((await run()).stdout).toBe(first.stdout);
    expect(await api.get('/api/agents/1/')).toEqual(before);
  }, 120_000);

  whenAllRun(() => {
    it('a long description in YAML is read in a process of its own, and kept as JSON', async () => {
      const document = await readFile(join(EXAMPLE, 'parcels.openapi.json'), 'utf8');
      const yaml = `# ${'long '.repeat(60_000)}\n${document}`;
      const made = await make<{ config: { document: string } }>('/api/mcp-servers/', {
        name: 'long',
        type: 'openapi',
        config: { document: yaml, base_url: base },
      });
      expect(made.config.document).toBe(JSON.stringify(JSON.parse(document)));
    });
  });
}
