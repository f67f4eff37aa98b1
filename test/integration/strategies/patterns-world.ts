import { randomUUID } from 'node:crypto';
import type { ModelRequest } from '#libs/agent-core';
import { AgentUsecaseFactory } from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import type { ExecutionView, NumberedEvent } from '#libs/payloads';
import { ApprovalStore } from '#libs/persistence';
import type { ToolDefinition } from '#libs/tooling';
import { sha256 } from '../../../apps/worker/src/execute/attempt-parts.js';
import { ScriptedRetriever } from '../../support/fakes/scripted-retriever.js';
import { FOUND } from '../worker/documents-world.js';
import { StrategyWorld } from './strategy-world.js';

type UsecaseType = 'BASIC_CHAT' | 'RAG_CHAT' | 'CUSTOM';

/** Thought of the scripted models, which only the models may read. */
export const THOUGHT = 'plan';

/** An answer with its thought as a `<think>` block, as some models write it into their text. */
export const thoughtful = (text: string) => ({ text: `<think>${THOUGHT}</think>${text}` });

/**
 * A prompt that the simulated model answers by this script. The thought is escaped, so that tests can search for it, and so
 * are `<` and backticks, so that a script can contain other scripted prompts.
 */
export function scripted(...answers: readonly object[]): string {
  const script = JSON.stringify({ key: randomUUID(), answers });
  const hidden = script
    .replaceAll(THOUGHT, 'pl\\u0061n')
    .replaceAll('<', '\\u003c')
    .replaceAll('`', '\\u0060');
  return `Go.\n\`\`\`sim-script\n${hidden}\n\`\`\``;
}

/** An agent of any strategy and pattern on the real provider adapter and a simulated model server. */
export class PatternsWorld {
  readonly retriever = new ScriptedRetriever(() => Promise.resolve(FOUND));

  private constructor(private readonly world: StrategyWorld) {
    world.worker.usecases = new AgentUsecaseFactory(this.retriever, sha256);
  }

  static async open(): Promise<PatternsWorld> {
    return new PatternsWorld(await StrategyWorld.open());
  }

  /** Adds an agent that other agents can call; returns its id. */
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

  /** Queues an execution of agent 1 with this usecase type and config, and with these tools and agents to call. */
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

  /** Runs one attempt; returns its view and its requests to models. */
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

  /** Everything that followers and readers of the audit and of the working memory can see, as one text. */
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
