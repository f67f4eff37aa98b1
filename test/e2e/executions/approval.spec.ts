import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';

const ORDER = readFileSync(
  join(import.meta.dirname, '../../../examples/order-entry/texts/01-email-english.txt'),
  'utf8',
);

describe('an agent whose orders a person must agree to', () => {
  let deployment: Deployment;
  let api: ApiClient;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    const [{ url }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    api = new ApiClient(url);
    const patched = await fetch(`${url}/api/agents/1/`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        config: { require_approval: ['save_order_draft'], strategy: 'gpt5_function_calling' },
      }),
    });
    expect(patched.status).toBe(200);
  });
  afterAll(() => deployment.close());

  async function submitUntilItWaits(): Promise<ExecutionView> {
    const { id } = await api.submit({ input: ORDER });
    return waitFor(
      async () => {
        const view = await api.get<ExecutionView>(`/api/executions/${id}/`);
        return view.status === 'requires_action' ? view : null;
      },
      { description: 'the execution to wait for a decision' },
    );
  }

  const decide = (id: string, decisions: object[]) =>
    api.post(`/api/executions/${id}/approvals/`, { decisions });

  it('waits with the call shown, and saves the order once it is approved', async () => {
    const waiting = await submitUntilItWaits();
    expect(waiting.required_action?.calls).toMatchObject([{ call: '2.0', tool_name: 'save_order_draft' }]);
    const answer = await decide(waiting.id, [{ call: '2.0', approved: true }]);
    expect(answer.status).toBe(200);
    const view = await api.settled(waiting.id);
    expect(view).toMatchObject({ status: 'completed', required_action: null });
    expect(view.result?.message.data.savedOrderRequestId).toEqual(expect.any(Number));
    const events = await api.events(waiting.id);
    expect(events.map((event) => Number(event.id))).toEqual(events.map((_, index) => index + 1));
    expect(events.map((event) => event.event)).toEqual(
      expect.arrayContaining(['approval_required', 'log', 'result']),
    );
  });

  it('saves nothing when a person refuses, and the model reads why', async () => {
    const waiting = await submitUntilItWaits();
    await decide(waiting.id, [{ call: '2.0', approved: false, reason: 'wrong customer' }]);
    const view = await api.settled(waiting.id);
    expect(view.result?.message.data.savedOrderRequestId).toBeUndefined();
    const steps = await api.get<{ data: { tool_name: string; status: string; output: unknown }[] }>(
      `/api/executions/${view.id}/steps/`,
    );
    const saved = steps.data.find((step) => step.tool_name === 'save_order_draft');
    expect(saved).toMatchObject({ status: 'refused' });
    expect(JSON.stringify(saved?.output)).toContain('wrong customer');
  });

  it('answers wrong decisions clearly and keeps waiting', async () => {
    const waiting = await submitUntilItWaits();
    const unknown = await decide(waiting.id, [{ call: '7.0', approved: true }]);
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toMatchObject({ errors: [{ pointer: '#/decisions/0/call' }] });
    expect((await decide(waiting.id, [])).status).toBe(400);
    expect((await decide(waiting.id, [{ call: '2.0', approved: 'yes' }])).status).toBe(400);
    await decide(waiting.id, [{ call: '2.0', approved: true }]);
    await api.settled(waiting.id);
    expect((await decide(waiting.id, [{ call: '2.0', approved: true }])).status).toBe(200);
    expect((await decide(waiting.id, [{ call: '2.0', approved: false }])).status).toBe(409);
  });

  it('lists the strategies', async () => {
    const { data } = await api.get<{ data: { name: string }[] }>('/api/strategies/');
    expect(data.map((strategy) => strategy.name)).toEqual(['gpt5_function_calling', 'gpt5_react']);
  });
});
