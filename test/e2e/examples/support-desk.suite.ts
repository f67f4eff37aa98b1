import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { whenAllRun } from '../../support/selection.js';
import { scripted } from '../../support/services/api-client.js';
import { ExampleShop } from '../../support/services/example-shop.js';
import { waitFor } from '../../support/services/wait-for.js';
import type { ExampleStack } from './example-stack.js';
import { runSupportDesk } from './support-desk-program.suite.js';

const TIMEOUT_MS = 120_000;
const COMPLAINT = 'It arrived broken, please refund it.';

interface Step {
  readonly tool_name: string;
  readonly status: string;
}

/** Automates `examples/support-desk`: all over HTTP and with real processes. */
export function supportDesk(stack: () => ExampleStack): void {
  describe('a support desk', () => {
    let shop: ExampleShop;
    let agentId: number;

    const sent = (method: string, path: string, body: object): Promise<Response> =>
      fetch(`${stack().api.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });

    beforeAll(async () => {
      shop = await ExampleShop.start();
      const { api } = stack();
      // Creates the desk. The shop of this run ends with it, and the test's shop replaces it.
      expect(await runSupportDesk(api, 'How long is the warranty of a lamp?')).toMatch(
        /^Our handbook says:.*two/s,
      );
      const agents = await api.get<{ id: number; name: string }[]>('/api/agents/');
      agentId = agents.find(({ name }) => name === 'supportAgent')?.id ?? 0;
      const { data } = await api.get<{ data: { id: string; name: string }[] }>('/api/mcp-servers/');
      const server = data.find(({ name }) => name === 'shop');
      const { document } = (
        await api.get<{ config: { document: string } }>(`/api/mcp-servers/${server?.id}/`)
      ).config;
      const config = { document, base_url: shop.url };
      expect((await sent('PATCH', `/api/mcp-servers/${server?.id}/`, { config })).status).toBe(200);
      const refunds_url = `${shop.url}/refunds`;
      const named = await sent('PUT', '/api/support-shop/', { refunds_url, refunds_token: 'shop-token' });
      expect(named.status).toBe(200);
      expect(await api.get('/api/support-shop/')).toEqual({ refunds_url, has_token: true });
    }, TIMEOUT_MS);
    afterAll(() => shop.close(), TIMEOUT_MS);

    async function ask(body: object): Promise<ExecutionView> {
      const accepted = await stack().api.post(`/api/agents/${agentId}/execute/`, body);
      expect(accepted.status).toBe(202);
      const { id } = (await accepted.json()) as ExecutionView;
      return waitFor(
        async () => {
          const view = await stack().api.get<ExecutionView>(`/api/executions/${id}/`);
          return view.status === 'requires_action' || view.finished_at !== null ? view : null;
        },
        { description: 'the desk to answer, or to wait for a person' },
      );
    }
    const decide = (id: string, decision: object) =>
      stack().api.post(`/api/executions/${id}/approvals/`, { decisions: [decision] });
    const stepsOf = async (id: string): Promise<string[]> => {
      const { data } = await stack().api.get<{ data: Step[] }>(`/api/executions/${id}/steps/`);
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
        const view = await stack().api.settled(waiting.id);
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
        const seen = await (await fetch(`${stack().simulatorUrl}/__control/requests`)).text();
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
        const view = await stack().api.settled(waiting.id);
        expect(await shop.paid()).toEqual(before);
        const id = Number(view.result?.message.data['openedTicketId']);
        expect(view.result?.message.data).toEqual({
          openedTicketId: expect.any(Number),
          citations: expect.anything(),
        });
        const ticket = await stack().api.get(`/api/support-tickets/${id}/`);
        expect(ticket).toMatchObject({
          id,
          execution_id: view.id,
          order_number: 'A-1002',
          subject: COMPLAINT,
        });
        const list = await stack().api.get<{ data: object[] }>('/api/support-tickets/?limit=1');
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
            (await stack().api.get<{ data: object[] }>('/api/support-tickets/?limit=100')).data.length;
          const before = await count();
          const made = await stack().api.post('/api/llms/', { name: 'script', model: 'sim-script' });
          const { id: llm } = (await made.json()) as { id: number };
          const fields = {
            name: 'Failing',
            usecase_type: 'BASIC_CHAT',
            llm,
            tools: { builtin: ['open_ticket'] },
          };
          const { id: failing } = (await (await stack().api.post('/api/agents/', fields)).json()) as {
            id: number;
          };
          const call = { name: 'open_ticket', arguments: { subject: 'never', order_number: null } };
          // The script has no second answer.
          const accepted = await stack().api.post(`/api/agents/${failing}/execute/`, {
            input: scripted({ calls: [call] }),
          });
          const view = await stack().api.settled(((await accepted.json()) as ExecutionView).id);
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
        const refused = await stack().api.post(`/api/agents/${agentId}/execute/`, wrong);
        expect(refused.status).toBe(400);
        const pointers = ((await refused.json()) as { errors: { pointer: string }[] }).errors.map(
          (e) => e.pointer,
        );
        expect(pointers.toSorted()).toEqual([
          '#/additional_data/refundReceipt',
          '#/additional_data/shownOrderNumber',
          '#/additional_data/supportChannel',
        ]);
        expect((await fetch(`${stack().api.url}/api/support-tickets/2147483647/`)).status).toBe(404);
        expect((await fetch(`${stack().api.url}/api/support-tickets/x/`)).status).toBe(400);
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
  });
}
