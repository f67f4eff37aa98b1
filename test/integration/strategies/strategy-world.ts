import { randomUUID } from 'node:crypto';
import { ModelPort, type ModelAnswer, type ModelDelta, type ModelRequest } from '#libs/agent-core';
import type { JsonValue } from '#libs/kernel';
import type { RunExecutionDependencies } from '#libs/executions';
import { costOf, modelProviders, type Pricing } from '#libs/model-providers';
import type { ExecutionView, NumberedEvent } from '#libs/payloads';
import type { ToolDefinition } from '#libs/tooling';
import { startSimulator, type RunningSimulator } from '../../../apps/simulator/src/simulator.js';
import { openModel } from '../../support/services/open-model.js';
import { WorkerWorld } from '../worker/worker-world.js';
import { BY_CHARACTERS } from '../../support/builders/counted-model.js';

export const STRATEGIES = ['gpt5_function_calling', 'gpt5_react'] as const;

/** Prices in dollars per million tokens. */
const PRICING: Pricing = {
  currency: 'USD',
  input: '2',
  cached_input: '1',
  output: '10',
  as_of: '2026-01-01',
};

/** A run of an agent with a strategy: the model's answers, the agent's config, and fields of the request. */
export interface ScriptedRun {
  /** Answers in the format of the simulator's `sim-script`. */
  readonly answers: readonly object[];
  /** After the last answer: the last answer again, or an error (default). */
  readonly then?: 'repeat_last';
  readonly config?: object;
  readonly context?: JsonValue;
  readonly promptPolicyOverrides?: string;
  /** Id of the provider (default `openai`); the simulator speaks the APIs of all providers. */
  readonly provider?: string;
}

const USUAL_PROVIDER = 'openai';

/** Everything that can be seen of a run afterwards. */
export interface PlayedRun {
  readonly id: string;
  readonly sessionId: string;
  readonly view: ExecutionView;
  readonly events: readonly NumberedEvent[];
  readonly requests: readonly ModelRequest[];
}

/** Calls the real adapter and records the requests. */
export class RecordingModel extends ModelPort {
  readonly requests: ModelRequest[] = [];

  constructor(private readonly model: ModelPort) {
    super();
  }

  override call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    this.requests.push(structuredClone(request));
    return this.model.call(request, onDelta, signal);
  }
}

/** The worker's use case with the real provider adapter, which calls the simulator. */
export class StrategyWorld {
  private constructor(
    readonly worker: WorkerWorld,
    private readonly simulator: RunningSimulator,
  ) {}

  static async open(): Promise<StrategyWorld> {
    const worker = await WorkerWorld.open();
    await worker.dataSource.query(`UPDATE llm SET model = 'sim-script'`);
    return new StrategyWorld(worker, await startSimulator());
  }

  model(provider = USUAL_PROVIDER): RecordingModel {
    const connection = { baseUrl: this.simulator.url, timeoutMs: 10_000 };
    return new RecordingModel(openModel(connection, provider));
  }

  /** Queues the run; its `config` stays the agent's config until the next `submit`. */
  async submit(
    run: ScriptedRun,
    tools: readonly ToolDefinition[],
    sessionId: string | null = null,
  ): Promise<{ readonly id: string; readonly sessionId: string }> {
    await this.worker.offer(tools, { strategy: STRATEGIES[0], ...run.config });
    // The simulator counts faults by key, so each run of a script needs a new key.
    const script = JSON.stringify({
      key: randomUUID(),
      answers: run.answers,
      ...(run.then && { then: run.then }),
    });
    return this.worker.submit({
      sessionId,
      request: {
        input: `Go.\n\`\`\`sim-script\n${script}\n\`\`\``,
        options: {},
        additional_data: {},
        ...(run.context && { context: run.context }),
        ...(run.promptPolicyOverrides !== undefined && {
          prompt_policy_overrides: run.promptPolicyOverrides,
        }),
      },
    });
  }

  /** Runs one attempt at an execution. */
  async attempt(
    id: string,
    tools: readonly ToolDefinition[],
    model: ModelPort = this.model(),
    overrides: Partial<RunExecutionDependencies> = {},
    provider = USUAL_PROVIDER,
  ): Promise<ExecutionView> {
    const { parameters } = modelProviders.get(provider);
    const { currency, input, output } = PRICING;
    const prices = { currency, promptUnitPrice: input, completionUnitPrice: output, priceUnit: '0.000001' };
    const resolved = { ...BY_CHARACTERS, model, maxRetries: 1, prices, costOf: costOfTokens, parameters };
    return this.worker.run(id, model, tools, { models: { of: () => resolved }, ...overrides });
  }

  async play(
    run: ScriptedRun,
    tools: readonly ToolDefinition[],
    sessionId: string | null = null,
  ): Promise<PlayedRun> {
    const submitted = await this.submit(run, tools, sessionId);
    const model = this.model(run.provider);
    const view = await this.attempt(submitted.id, tools, model, {}, run.provider);
    return { ...submitted, view, events: this.worker.events.events(submitted.id), requests: model.requests };
  }

  async rows<T>(sql: string, ...parameters: readonly unknown[]): Promise<T[]> {
    return this.worker.dataSource.query<T[]>(sql, [...parameters]);
  }

  /** The model's original answers from the journal, round by round. */
  async journalledAnswers(executionId: string): Promise<{ answer: ModelAnswer; latencyMs: number }[]> {
    const rows = await this.rows<{ data: { answer: ModelAnswer; latencyMs: number } }>(
      `SELECT data FROM journal_entry WHERE execution_id = $1 AND kind = 'model_call_completed' ORDER BY sequence`,
      executionId,
    );
    return rows.map((row) => row.data);
  }

  /** The assistant's message as the conversation stores it. */
  async storedAnswer(executionId: string): Promise<string | undefined> {
    const [row] = await this.rows<{ content: string }>(
      `SELECT content FROM chat_message WHERE execution_id = $1 AND role = 'assistant'`,
      executionId,
    );
    return row?.content;
  }

  async close(): Promise<void> {
    await this.simulator.close();
    await this.worker.close();
  }
}

const costOfTokens = (tokens: Parameters<typeof costOf>[0]): string | null => costOf(tokens, PRICING);
