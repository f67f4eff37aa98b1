import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { ExecutionView } from '#libs/payloads';
import { whenAllRun } from '../../support/selection.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { ExampleShop } from '../../support/services/example-shop.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';

const PROGRAM = join(import.meta.dirname, '../../../examples/support-desk/ask.ts');
const TIMEOUT_MS = 120_000;
const COMPLAINT = 'It arrived broken, please refund it.';

interface Step {
  readonly tool_name: string;
  readonly status: string;
}

/** `examples/support-desk`, done by a machine: everything through HTTP and real processes. */
function supports(backend: QueueBackend): void {
  let folder: string;
  let deployment: Deployment;
  let shop: ExampleShop;
  let api: ApiClient;
  let agentId: number;

  /** What `ask.ts` writes: the decisions, the answer, its data, and what the shop has paid. */
  async function runExample(...args: string[]): Promise<string> {
    return (await execa('node', [PROGRAM, ...args], { env: { API: api.url } })).stdout;
  }
  const sent = (method: string, path: string, body: object): Promise<Response> =>
    fetch(`${api.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'support-desk-'));
    const settings = { DOCUMENTS_ROOT: folder, PRIVATE_TOOL_HOSTS: 'default:127.0.0.1:*' };
    [deployment, shop] = await Promise.all([Deployment.open(backend, settings), ExampleShop.start()]);
    const [started] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    api = new ApiClient(started.url);
    // Makes the desk; the shop of this run ends with it, and ours takes its place.
    expect(await runExample('How long is the warranty of a lamp?')).toMatch(/^Our handbook says:.*two/s);
    const agents = await api.get<{ id: number; name: string }[]>('/api/agents/');
    agentId = agents.find(({ name }) => name === 'supportAgent')?.id ?? 0;
    const servers = await api.get<{ data: { id: string; config: object }[] }>('/api/mcp-servers/');
    const [server] = servers.data;
    const { document } = (await api.get<{ config: { document: string } }>(`/api/mcp-servers/${server?.id}/`))
      .config;
    const config = { document, base_url: shop.url };
    expect((await sent('PATCH', `/api/mcp-servers/${server?.id}/`, { config })).status).toBe(200);
    const refunds_url = `${shop.url}/refunds`;
    const named = await sent('PUT', '/api/support-shop/', { refunds_url, refunds_token: 'shop-token' });
    expect(named.status).toBe(200);
    expect(await api.get('/api/support-shop/')).toEqual({ refunds_url, has_token: true });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([deployment.close(), shop.close()]);
    await rm(folder, { recursive: true, force: true });
  }, TIMEOUT_MS);

  async function ask(body: object): Promise<ExecutionView> {
    const accepted = await api.post(`/api/agents/${agentId}/execute/`, body);
    expect(accepted.status).toBe(202);
    const { id } = (await accepted.json()) as ExecutionView;
    return waitFor(
      async () => {
        const view = await api.get<ExecutionView>(`/api/executions/${id}/`);
        return view.status === 'requires_action' || view.finished_at !== null ? view : null;
      },
      { description: 'the desk to answer, or to wait for a person' },
    );
  }
  const decide = (id: string, decision: object) =>
    api.post(`/api/executions/${id}/approvals/`, { decisions: [decision] });
  const stepsOf = async (id: string): Promise<string[]> => {
    const { data } = await api.get<{ data: Step[] }>(`/api/executions/${id}/steps/`);
    return data.map(({ tool_name, status }) => `${tool_name} ${status}`).toSorted();
  };

  it(
    'pays back once a person agrees, with the receipt in the answer and the handbook cited',
    async () => {
      const before = await shop.paid();
      const waiting = await ask({
        input: COMPLAINT,
        additional_data: {
          supportChannel: 'email',
          shownOrderNumber: 'A-1001',
          supportUserAgent: 'Foxfire/9',
        },
      });
      expect(waiting.required_action?.calls).toMatchObject([
        { asks: 'approval', tool_name: 'refund', tool_input: { order_number: 'A-1001', amount: '49.90' } },
      ]);
      expect(await shop.paid()).toEqual(before);
      const call = waiting.required_action?.calls[0]?.call ?? '';
      expect((await decide(waiting.id, { call, approved: true })).status).toBe(200);
      const view = await api.settled(waiting.id);
      const [paid, ...more] = (await shop.paid()).slice(before.length);
      expect(more).toEqual([]);
      expect(paid).toMatchObject({ order: 'A-1001', amount: '49.90', key: `${view.id}.${call}` });
      expect(view).toMatchObject({ status: 'completed' });
      expect(view.result?.message.content).toContain(`receipt ${paid?.receipt}`);
      expect(view.result?.message.data).toMatchObject({
        refundReceipt: { orderNumber: 'A-1001', amount: '49.90', receipt: paid?.receipt },
      });
      expect(view.result?.citations).toMatchObject([{ title: 'refunds.md' }, {}]);
      expect(await stepsOf(view.id)).toEqual([
        'mcp__shop__lookup_order succeeded',
        'refund succeeded',
        'search_knowledge succeeded',
      ]);
      const seen = await (await fetch(`${deployment.simulatorUrl}/__control/requests`)).text();
      expect(seen).toContain('shownOrderNumber: A-1001');
      expect(seen).not.toContain('Foxfire');
    },
    TIMEOUT_MS,
  );

  it(
    'pays nothing where a person refuses, and opens a ticket that is there once the execution has settled',
    async () => {
      const before = await shop.paid();
      const waiting = await ask({
        input: COMPLAINT,
        additional_data: { supportChannel: 'phone', shownOrderNumber: 'A-1002' },
      });
      const call = waiting.required_action?.calls[0]?.call ?? '';
      await decide(waiting.id, { call, approved: false, reason: 'it is still on its way' });
      const view = await api.settled(waiting.id);
      expect(await shop.paid()).toEqual(before);
      const id = Number(view.result?.message.data['openedTicketId']);
      expect(view.result?.message.data).toEqual({
        openedTicketId: expect.any(Number),
        citations: expect.anything(),
      });
      const ticket = await api.get(`/api/support-tickets/${id}/`);
      expect(ticket).toMatchObject({ id, execution_id: view.id, order_number: 'A-1002', subject: COMPLAINT });
      const list = await api.get<{ data: object[] }>('/api/support-tickets/?limit=1');
      expect(list.data).toEqual([ticket]);
      expect(await stepsOf(view.id)).toContain('refund refused');
    },
    TIMEOUT_MS,
  );

  whenAllRun(() => {
    it(
      'leaves no ticket of an execution that fails',
      async () => {
        const count = async () =>
          (await api.get<{ data: object[] }>('/api/support-tickets/?limit=100')).data.length;
        const before = await count();
        const made = await api.post('/api/llms/', { name: 'script', model: 'sim-script' });
        const { id: llm } = (await made.json()) as { id: number };
        const fields = {
          name: 'Failing',
          usecase_type: 'BASIC_CHAT',
          llm,
          tools: { builtin: ['open_ticket'] },
        };
        const { id: failing } = (await (await api.post('/api/agents/', fields)).json()) as { id: number };
        const call = { name: 'open_ticket', arguments: { subject: 'never', order_number: null } };
        // The script has no second answer.
        const accepted = await api.post(`/api/agents/${failing}/execute/`, {
          input: scripted({ calls: [call] }),
        });
        const view = await api.settled(((await accepted.json()) as ExecutionView).id);
        expect(view.status).toBe('failed');
        expect(await stepsOf(view.id)).toEqual(['open_ticket succeeded']);
        expect(await count()).toBe(before);
      },
      TIMEOUT_MS,
    );

    it('answers what is wrong with a request at its field, and knows no ticket of others', async () => {
      const shownOrderNumber = 'A/1';
      const wrong = {
        input: 'x',
        additional_data: { shownOrderNumber, supportChannel: 'fax', refundReceipt: {} },
      };
      const refused = await api.post(`/api/agents/${agentId}/execute/`, wrong);
      expect(refused.status).toBe(400);
      const pointers = ((await refused.json()) as { errors: { pointer: string }[] }).errors.map(
        (e) => e.pointer,
      );
      expect(pointers.toSorted()).toEqual([
        '#/additional_data/refundReceipt',
        '#/additional_data/shownOrderNumber',
        '#/additional_data/supportChannel',
      ]);
      expect((await fetch(`${api.url}/api/support-tickets/2147483647/`)).status).toBe(404);
      expect((await fetch(`${api.url}/api/support-tickets/x/`)).status).toBe(400);
      for (const refunds_url of [
        'ftp://shop.test/',
        'http://user:secret@shop.test/',
        'http://10.0.0.1/',
        'shop',
        5,
      ]) {
        const answer = await sent('PUT', '/api/support-shop/', { refunds_url });
        expect([answer.status, await answer.json()]).toMatchObject([
          400,
          { errors: [{ pointer: '#/refunds_url' }] },
        ]);
      }
    });
  });

  if (backend === 'postgres') {
    it(
      'is what the program of the example shows',
      async () => {
        const agreed = await runExample('The lamp of order A-1001 arrived broken, please refund it.');
        expect(agreed).toMatch(/^agreed: refund \{.*"A-1001".*\n.*receipt R-1\.\n/);
        expect(agreed).toMatch(/paid by the shop: \[\{"receipt":"R-1"/);
        const refused = await runExample('Please refund my order A-1001.', '--refuse', 'not yet');
        expect(refused).toMatch(/^refused: refund .*\n.*ticket \d+\.\n/);
        expect(refused).toContain('paid by the shop: []');
      },
      TIMEOUT_MS,
    );
  }
}

describe('a support desk, with the queue in PostgreSQL', () => {
  supports('postgres');
});
whenAllRun(() => {
  describeWithRedis('the same with the queue in Redis', () => {
    supports('redis');
  });
});
