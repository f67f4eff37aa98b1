import { randomUUID } from 'node:crypto';
import type { ModelRequest } from '#libs/agent-core';
import { AgentUsecaseFactory } from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import type { ExecutionView, NumberedEvent } from '#libs/payloads';
import { ApprovalStore } from '#libs/persistence';
import type { ToolDefinition } from '#libs/tooling';
import { sha256 } from '../../../apps/worker/src/execute/sha256.js';
import { ScriptedRetriever } from '../../support/fakes/scripted-retriever.js';
import { FOUND } from '../worker/documents-world.js';
import { StrategyWorld } from './strategy-world.js';

type UsecaseType = 'BASIC_CHAT' | 'RAG_CHAT' | 'CUSTOM';

/** What its models think, and nobody but them reads. */
export const THOUGHT = 'plan';

/** An answer with a thought before it, as models write it that think in their text. */
export const thoughtful = (text: string) => ({ text: `<think>${THOUGHT}</think>${text}` });

/**
 * A text that the model answers by this script. What it thinks stands nowhere in it word by word, so that it may be looked
 * for, and scripts may hold such texts themselves.
 */
export function scripted(...answers: readonly object[]): string {
  const script = JSON.stringify({ key: randomUUID(), answers });
  const hidden = script
    .replaceAll(THOUGHT, 'pl\\u0061n')
    .replaceAll('<', '\\u003c')
    .replaceAll('`', '\\u0060');
  return `Go.\n\`\`\`sim-script\n${hidden}\n\`\`\``;
}

/** An agent of a strategy, whatever pattern it is built by, on the real adapter and a simulated server. */
export class PatternsWorld {
  readonly retriever = new ScriptedRetriever(() => Promise.resolve(FOUND));

  private constructor(private readonly world: StrategyWorld) {
    world.worker.usecases = new AgentUsecaseFactory(this.retriever, sha256);
  }

  static async open(): Promise<PatternsWorld> {
    return new PatternsWorld(await StrategyWorld.open());
  }

  /** Adds an agent that others call; answers its id. */
  async add(
    usecase: UsecaseType,
    config: JsonObject,
    tools: readonly ToolDefinition[] = [],
  ): Promise<number> {
    const [agent] = await this.world.rows<{ id: number }>(
      `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, system_prompt, tools, config)
       SELECT tenant_id, $1, $2, llm_id, 'Be brief.', $3, $4 FROM agent WHERE id = 1 RETURNING id`,
      randomUUID(),
      usecase,
      JSON.stringify({ builtin: tools.map(({ name }) => name) }),
      JSON.stringify(config),
    );
    return agent?.id ?? 0;
  }

  /** Queues what an agent of this type and configuration is asked, with these tools and agents to call. */
  async ask(
    input: string,
    usecase: UsecaseType,
    config: JsonObject,
    { tools = [], agents = [] }: { tools?: readonly ToolDefinition[]; agents?: readonly JsonObject[] } = {},
  ): Promise<string> {
    const { worker } = this.world;
    await worker.offer(tools, config);
    await this.world.rows(
      `UPDATE agent SET usecase_type = $1, tools = tools || $2 WHERE id = 1`,
      usecase,
      JSON.stringify(agents.length > 0 ? { agents } : {}),
    );
    return (await worker.submit({ request: { input, options: {}, additional_data: {} } })).id;
  }

  /** One attempt; answers the view, and what models were asked in it. */
  async attempt(
    id: string,
    tools: readonly ToolDefinition[] = [],
  ): Promise<{ readonly view: ExecutionView; readonly requests: readonly ModelRequest[] }> {
    const model = this.world.model();
    const view = await this.world.attempt(id, tools, model);
    return { view, requests: model.requests };
  }

  async approve(id: string, call: string): Promise<void> {
    const decision = { call, approved: true, reason: '' };
    await new ApprovalStore(this.world.worker.dataSource).decide('default', id, [decision], null);
  }

  events(id: string): readonly NumberedEvent[] {
    return this.world.worker.events.events(id);
  }

  workingMemory(id: string): Promise<JsonObject | null> {
    return this.world.worker.executions.findWorkingMemory('default', id);
  }

  /** What followers, readers of the audit and readers of the working memory may see, as one text. */
  async everythingShown(id: string): Promise<string> {
    const shown = [
      this.events(id),
      await this.world.worker.stepsOf(id),
      await this.world.worker.executions.find('default', id),
      await this.workingMemory(id),
    ];
    return JSON.stringify(shown);
  }

  close(): Promise<void> {
    return this.world.close();
  }
}
