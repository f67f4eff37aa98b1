import { expect } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';
import { REAL_SDK, type Engine } from './engines.js';
import { HeldService } from './held-service.js';
import { descendantsOf, isAlive, type FoundProcess } from './processes.js';

/** A request that the simulated model has received. */
interface SeenRequest {
  readonly endpoint: string;
  readonly usage: {
    readonly input_tokens: number;
    readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
    readonly output_tokens: number;
    readonly total_tokens: number;
  } | null;
  readonly body: { readonly messages?: readonly unknown[]; readonly input?: readonly unknown[] } | null;
}

/** A deployment with agents of one engine, and a service whose one operation never answers. */
export class EngineWorld {
  private readonly workers = new Set<ServiceProcess>();

  private constructor(
    readonly engine: Engine,
    readonly deployment: Deployment,
    readonly service: HeldService,
    readonly api: ApiClient,
  ) {}

  static async start(engine: Engine = REAL_SDK): Promise<EngineWorld> {
    const service = await HeldService.listen();
    const deployment = await Deployment.open('postgres', {
      ...engine.settings,
      ...{ MODEL_ALLOW_PRIVATE_HOSTS: 'true', PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*' },
    });
    const { url } = await deployment.startApi();
    const world = new EngineWorld(engine, deployment, service, new ApiClient(url));
    await world.make('/api/mcp-servers/', {
      ...{ name: 'parcels', type: 'openapi' },
      config: { document: JSON.stringify(service.description), base_url: service.url },
    });
    return world;
  }

  async close(): Promise<void> {
    await this.deployment.close();
    await this.service.close();
  }

  /** Makes an agent that the engine runs, and returns its id. */
  async makeAgent(
    more: object = {},
    model = 'sim-script',
    credentials: object = {},
    ofLlm: object = {},
  ): Promise<number> {
    const name = `${model} ${JSON.stringify(credentials)} ${JSON.stringify(more)}`.slice(0, 60);
    const { provider, credentials: own } = this.engine.llm(this.deployment.simulatorUrl);
    const llm = await this.make('/api/llms/', {
      ...{ name, provider, model, ...ofLlm },
      credentials: { ...own, ...credentials },
    });
    const { id } = await this.make('/api/agents/', {
      ...{ name, usecase_type: 'BASIC_CHAT', llm: llm.id, system_prompt: 'You are a clerk.' },
      ...more,
    });
    return id;
  }

  async startWorker(settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const worker = await this.deployment.startWorker(settings);
    this.workers.add(worker);
    return worker;
  }

  /** Ends the workers of a test, and forgets what the model has received. */
  async reset(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.kill()));
    this.workers.clear();
    await fetch(`${this.deployment.simulatorUrl}/__control/requests`, { method: 'DELETE' });
  }

  async submit(agent: number, input: string, more: object = {}): Promise<ExecutionView> {
    const answer = await this.api.post(`/api/agents/${agent}/execute/`, { input, ...more });
    expect(answer.status).toBe(202);
    return (await answer.json()) as ExecutionView;
  }

  /** Requests that the model has received in this test. */
  async seen(): Promise<readonly SeenRequest[]> {
    const answer = await fetch(`${this.deployment.simulatorUrl}/__control/requests`);
    const { requests } = (await answer.json()) as { requests: SeenRequest[] };
    return requests.filter(({ endpoint }) => endpoint === 'messages' || endpoint === 'responses');
  }

  /** Tokens that the model has counted in this test. */
  async spent(): Promise<number> {
    return (await this.seen()).reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
  }

  async stepsOf(id: string): Promise<readonly object[]> {
    return (await this.api.get<{ data: object[] }>(`/api/executions/${id}/steps/`)).data;
  }

  private async make(path: string, body: object): Promise<{ id: number }> {
    const answer = await this.api.post(path, body);
    const text = await answer.text();
    expect([answer.status, text]).toEqual([201, expect.anything()]);
    return JSON.parse(text) as { id: number };
  }
}

/** The processes of the engine below a worker, once the engine itself runs. */
export function engineOf(worker: ServiceProcess): Promise<readonly FoundProcess[]> {
  return waitFor(
    () => {
      const found = descendantsOf(worker.pid);
      return Promise.resolve(found.length < 2 ? null : found);
    },
    { description: 'the engine to run' },
  );
}

export function untilGone(engine: readonly FoundProcess[]): Promise<unknown> {
  return waitFor(() => Promise.resolve(!engine.some(({ pid }) => isAlive(pid))), {
    description: 'the engine to end',
  });
}
