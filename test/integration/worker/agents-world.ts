import type { ModelAnswer, ModelPort, ModelRequest } from '#libs/agent-core';
import { ApprovalStore } from '#libs/persistence';
import type { ToolDefinition } from '#libs/tooling';
import { aCall, aModelAnswer } from '../../support/builders/model-answer.js';
import { aTool } from '../../support/builders/tool.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { WorkerWorld } from './worker-world.js';

export const says = (text: string) => aModelAnswer({ text });
export const asks = (...calls: [tool: string, input: object][]) =>
  aModelAnswer({ toolCalls: calls.map(([tool, input], index) => aCall(tool, `c${index}`, input)) });

export const SCRIPTS: Record<string, readonly ModelAnswer[]> = {
  root: [
    asks(
      ['clerk', { prompt: 'refund order 7' }],
      ['task', { subagent_type: 'scout', prompt: 'look around' }],
      ['task', { subagent_type: 'scribe', prompt: 'write it down' }],
    ),
    says('all done'),
  ],
  'model-clerk': [asks(['charge', {}]), says('refunded')],
  'model-scout': [asks(['look', {}]), says('seen')],
  'model-scribe': [says('written')],
};

/** Answers by the script of the requested model, which is the model of one agent. */
export class ModelOfEach implements ModelPort {
  readonly requests: ModelRequest[] = [];
  readonly charged = new Map<string, number>();

  constructor(private readonly scripts = SCRIPTS) {}

  async call(request: ModelRequest, onDelta: Parameters<ModelPort['call']>[1]): Promise<ModelAnswer> {
    this.requests.push(request);
    const script = this.scripts[request.model] ?? this.scripts['root'] ?? [];
    const answer = await new ScriptedModel(script).call(request, onDelta);
    const tokens = answer.usage?.total_tokens ?? 0;
    this.charged.set(request.model, (this.charged.get(request.model) ?? 0) + tokens);
    return answer;
  }
}

/** Agent 1 and three agents that it can call: a clerk that needs approval, a scout and a scribe. */
export class AgentsWorld {
  readonly ids: Record<string, number> = {};

  private constructor(readonly world: WorkerWorld) {}

  static async open(): Promise<AgentsWorld> {
    const agents = new AgentsWorld(await WorkerWorld.open());
    await agents.add('clerk', ['charge'], { require_approval: ['charge'] });
    await agents.add('scout', ['look'], {});
    await agents.add('scribe', [], {});
    return agents;
  }

  /**
   * Lets agent 1 call the clerk by a tool of its own, and the scout and the scribe by a common tool. Returns the tools of
   * the called agents, and `keys`, which records the calls of these tools.
   */
  async offer(): Promise<{ keys: string[]; tools: ToolDefinition[] }> {
    const keys: string[] = [];
    const run: ToolDefinition['run'] = (_input, { idempotencyKey, scope }) => {
      keys.push(`${scope} ${idempotencyKey.slice(idempotencyKey.indexOf('.') + 1)}`);
      return Promise.resolve({ result: { status: 'success', result: { message: 'ok' } } });
    };
    const { clerk, scout, scribe } = this.ids;
    await this.letCall(
      { agent: clerk, name: 'clerk', description: 'Refunds.' },
      {
        name: 'task',
        description: 'Runs another agent.',
        agents: [
          { agent: scout, name: 'scout', description: 'Looks.' },
          { agent: scribe, name: 'scribe', description: 'Writes.' },
        ],
      },
    );
    return { keys, tools: [aTool('charge', { effect: 'unsafe', run }), aTool('look', { run })] };
  }

  async letCall(...agents: object[]): Promise<void> {
    await this.world.dataSource.query(`UPDATE agent SET tools = $1, config = '{}' WHERE id = 1`, [
      JSON.stringify({ agents }),
    ]);
  }

  approve(executionId: string, call: string) {
    const decision = { call, approved: true, reason: '' };
    return new ApprovalStore(this.world.dataSource).decide('default', executionId, [decision], null);
  }

  private async add(name: string, builtin: readonly string[], config: object): Promise<void> {
    const { dataSource } = this.world;
    const [llm] = await dataSource.query<{ id: number }[]>(
      `INSERT INTO llm (tenant_id, name, provider, model, extra)
       SELECT tenant_id, $1, provider, $2, '{"temperature": 0.1}' FROM llm WHERE id = 1 RETURNING id`,
      [name, `model-${name}`],
    );
    const [agent] = await dataSource.query<{ id: number }[]>(
      `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, system_prompt, tools, config)
       SELECT tenant_id, $1, usecase_type, $2, $3, $4, $5 FROM agent WHERE id = 1 RETURNING id`,
      [name, llm?.id, `You are the ${name}.`, JSON.stringify({ builtin }), JSON.stringify(config)],
    );
    this.ids[name] = agent?.id ?? 0;
  }
}
