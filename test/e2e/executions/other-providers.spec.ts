import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';

const ORDER = readFileSync(
  join(import.meta.dirname, '../../../examples/order-entry/texts/01-email-english.txt'),
  'utf8',
);

interface SeenRequest {
  readonly endpoint: string;
  readonly stream?: boolean;
  readonly usage: {
    readonly total_tokens: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  } | null;
}

const PRICING = {
  ...{ currency: 'USD', input: '1', cached_input: '0.1', output: '5', as_of: '2026-11-28' },
  ...{ cache_write_5m: '1.25', cache_write_1h: '2' },
};

/** Cost of a request in hundredths of a millionth of a dollar, written out for these prices. */
function costOf({ usage }: SeenRequest): number {
  if (usage === null) return Number.NaN;
  const { cached_tokens: read, cache_write_tokens: written } = usage.input_tokens_details;
  return (usage.input_tokens - read - written) * 100 + read * 10 + written * 125 + usage.output_tokens * 500;
}

describe('an order with a model of another provider', () => {
  let deployment: Deployment;
  let api: ApiClient;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres', {
      MODEL_ALLOW_PRIVATE_HOSTS: 'true',
      MODEL_ALIASES: 'anthropic:haiku=sim-order-clerk',
    });
    const [started] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    api = new ApiClient(started.url);
  });
  afterAll(() => deployment.close());

  /** The requests that the model's server received since the last call. */
  async function seen(): Promise<SeenRequest[]> {
    const response = await fetch(`${deployment.simulatorUrl}/__control/requests`);
    const { requests } = (await response.json()) as { requests: SeenRequest[] };
    await fetch(`${deployment.simulatorUrl}/__control/requests`, { method: 'DELETE' });
    return requests;
  }

  /** Gives the agent a configuration of the model. */
  async function useModel(provider: string, model: string, credentials: object): Promise<void> {
    const created = await api.post('/api/llms/', {
      ...{ name: `a server of ${provider}`, provider, model, pricing: PRICING, credentials },
    });
    expect(created.status).toBe(201);
    const { id: llm } = (await created.json()) as { id: number };
    const changed = await fetch(`${api.url}/api/agents/1/`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ llm }),
    });
    expect(changed.status).toBe(200);
  }

  it.each([
    ['openai_compatible', 'sim-order-clerk', 'api', 'chat_completions'],
    // An alias that the operator has set (S4-30).
    ['anthropic', 'haiku', 'anthropic_api', 'messages'],
    ['bedrock', 'sim-order-clerk', 'bedrock', 'messages'],
  ])(
    '%s, configured through the API, is asked for every round, and billed to the token',
    async (provider, model, form, endpoint) => {
      await useModel(provider, model, {
        [form === 'bedrock' ? 'bedrock_api_base' : `${form}_base`]: `${deployment.simulatorUrl}/v1`,
        [`${form}_key`]: 'AKIDEXAMPLE:of-our-own',
      });
      await seen();

      const submitted = await api.submit({ input: ORDER });
      const events = await api.events(submitted.id);
      const view = await api.settled(submitted.id);
      expect(view).toMatchObject({ status: 'completed', attempt: 1 });
      const names = events.map((event) => event.event);
      expect(names).toEqual(expect.arrayContaining(['tool_use', 'tool_result', 'text_delta', 'result']));

      const steps = await api.get<{ data: { tool_name: string; status: string }[] }>(
        `/api/executions/${view.id}/steps/`,
      );
      expect(steps.data.map((step) => step.tool_name)).toEqual(
        expect.arrayContaining(['search_items', 'save_order_draft']),
      );
      const asked = (await seen()).filter(({ endpoint }) => endpoint !== 'models');
      expect(new Set(asked.map(({ endpoint }) => endpoint))).toEqual(new Set([endpoint]));
      const billed = asked.reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
      expect(view.usage?.total_tokens).toBe(billed);
      const cost = asked.reduce((sum, request) => sum + costOf(request), 0);
      expect(Math.round(Number(view.usage?.total_cost_usd) * 1e8)).toBe(cost);
      const written = asked.reduce(
        (sum, one) => sum + (one.usage?.input_tokens_details.cache_write_tokens ?? 0),
        0,
      );
      expect(written > 0).toBe(endpoint === 'messages');
      expect(billed).toBeGreaterThan(0);
    },
  );

  it('asks for whole answers with stream_when followed and limits as they are by default', async () => {
    const credentials = { openai_api_base: `${deployment.simulatorUrl}/v1`, openai_api_key: 'of-our-own' };
    await useModel('openai', 'sim-order-clerk', { ...credentials, stream_when: 'followed' });
    await seen();

    const answer = await api.post('/api/agents/1/execute/', { input: ORDER }, { prefer: 'wait=60' });
    expect(await answer.json()).toMatchObject({ status: 'completed' });
    const asked = (await seen()).filter(({ endpoint }) => endpoint === 'responses');
    expect(new Set(asked.map(({ stream }) => stream))).toEqual(new Set([false]));
  });
});
