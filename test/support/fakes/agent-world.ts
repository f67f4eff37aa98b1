import {
  LeaseLostError,
  PlainReporter,
  runAgentLoop,
  ScopePlanner,
  type EventSink,
  type LoopResult,
  type LoopRules,
  type ModelAnswer,
  type ModelPort,
  type ModelRequest,
  type ScopePlan,
  type ScopeRequest,
} from '#libs/agent-core';
import type { ExecutionEvent } from '#libs/payloads';
import type { CallVerdict, OnUnknown, ScopeLimits, ToolEffect } from '#libs/tooling';
import { anExecutionContext } from '../builders/execution-context.js';
import { WorkerDied } from './in-memory-journal.js';
import { LoopWorld, rulesOf } from './loop-world.js';
import { ScriptedModel } from './scripted-model.js';

/** What each agent's model answers, round by round. */
export type AgentScripts = Readonly<Record<string, readonly (ModelAnswer | Error)[]>>;

export interface AgentWorldOptions {
  readonly onUnknown?: OnUnknown;
  readonly needsApproval?: readonly string[];
  /** Agents whose calls run one after the other. */
  readonly unsafeAgents?: readonly string[];
  readonly rules?: Readonly<Record<string, Partial<LoopRules>>>;
  /** By the agent that is called. */
  readonly limits?: Readonly<Record<string, ScopeLimits>>;
}

/** Counts the tokens that the model's server has charged for, by the agent that asked. */
class ChargingModel {
  readonly charged = new Map<string, number>();

  of(agent: string, script: readonly (ModelAnswer | Error)[]): ModelPort {
    const model = new ScriptedModel(script);
    return {
      call: async (request: ModelRequest, onDelta: Parameters<ModelPort['call']>[1]) => {
        await Promise.resolve();
        const answer = await model.call(request, onDelta);
        this.charged.set(agent, (this.charged.get(agent) ?? 0) + (answer.usage?.total_tokens ?? 0));
        return answer;
      },
    };
  }
}

/** Agents that call each other by their names: a tool of an agent's name runs that agent. */
export class AgentWorld extends ScopePlanner {
  readonly models = new ChargingModel();
  readonly world: LoopWorld;
  readonly planned: ScopeRequest[] = [];
  /** Agents that have vanished meanwhile. */
  readonly gone = new Set<string>();
  /** Agents whose tools never come. */
  readonly stalled = new Set<string>();
  /** Lets the time run out that an agent of this name was given. */
  readonly timeouts = new Map<string, () => void>();
  /** What was left, in milliseconds, of each time limit that began to be watched. */
  readonly granted: number[] = [];
  /** Called when an agent of this name is about to begin. */
  onPlan: (name: string) => void = () => undefined;
  /** Whether attempts count as the next after one that was lost. */
  followsLostAttempt = false;
  private attempts = 0;

  constructor(
    private readonly scripts: AgentScripts,
    private readonly options: AgentWorldOptions = {},
  ) {
    super();
    this.world = new LoopWorld(this.models.of('root', scripts['root'] ?? []), this);
  }

  override async plan(request: ScopeRequest, signal: AbortSignal): Promise<ScopePlan | 'stopped' | null> {
    await Promise.resolve();
    this.planned.push(request);
    const { name, input } = request;
    this.onPlan(name);
    if (this.stalled.has(name)) {
      if (!signal.aborted) throw new Error(`nobody would ever stop ${name}`);
      return 'stopped';
    }
    const script = this.scripts[name];
    if (!script || this.gone.has(name)) return null;
    const { tools } = this.world.ports;
    const inside = this.eventsOf(request);
    return {
      context: anExecutionContext({ input, attempt: this.attempts, preparation: prepared(name) }),
      rules: this.rulesOf(name),
      model: this.models.of(name, script),
      tools,
      events: inside,
      reporter: new PlainReporter(inside, this.attempts),
    };
  }

  override eventsOf({ scope }: Pick<ScopeRequest, 'scope'>): EventSink {
    return new ScopedSink(this.world.ports.events, scope);
  }

  /** One attempt: `died` where its worker did. */
  async attempt(): Promise<LoopResult | 'died'> {
    this.attempts += 1;
    const { signals } = this.world;
    const ports = { ...this.world.ports, wait: (ms: number) => this.wait(ms) };
    const context = anExecutionContext({
      attempt: this.attempts,
      followsLostAttempt: this.followsLostAttempt,
      preparation: prepared('root'),
    });
    try {
      return await runAgentLoop(context, this.rulesOf('root'), ports, signals);
    } catch (error) {
      if (error instanceof WorkerDied || error instanceof LeaseLostError) return 'died';
      throw error;
    }
  }

  /** Limits differ from each other, and from what a retry waits; agents are called when all of the time is left. */
  private wait(ms: number): Promise<void> {
    const spentMs = this.world.timeoutMs - this.world.remainingMs;
    const [name] =
      Object.entries(this.options.limits ?? {}).find(
        ([, { timeoutMs = 0 }]) => timeoutMs === ms || timeoutMs - spentMs === ms,
      ) ?? [];
    if (name === undefined) return this.world.ports.wait(ms, this.world.abort.signal);
    this.granted.push(ms);
    return new Promise((resolve) => this.timeouts.set(name, resolve));
  }

  private rulesOf(agent: string): LoopRules {
    const {
      onUnknown = 'halt',
      needsApproval = [],
      unsafeAgents = [],
      rules = {},
      limits = {},
    } = this.options;
    const plain = rulesOf({}, onUnknown);
    const judge = (call: Parameters<LoopRules['judge']>[0]): CallVerdict => {
      const asks = { needsApproval: needsApproval.includes(call.toolName) };
      const effect = unsafeAgents.includes(call.toolName) ? 'unsafe' : 'idempotent';
      if (call.toolName in this.scripts) return { ...opening(call, effect, limits[call.toolName]), ...asks };
      const verdict = plain.judge(call);
      return verdict.kind === 'run' ? { ...verdict, ...asks } : verdict;
    };
    return { ...plain, judge, costOf: (tokens) => (tokens ? '0.25' : null), ...rules[agent] };
  }
}

function opening(
  { toolName: name, arguments: input }: Parameters<LoopRules['judge']>[0],
  effect: ToolEffect,
  limits: ScopeLimits | undefined,
): CallVerdict {
  return { kind: 'run', effect, input: {}, opens: { agentId: 7, name, input, ...(limits && { limits }) } };
}

const prepared = (name: string) => ({
  agent: { id: 7, version: 1 },
  model: `model of ${name}`,
  extra: {},
  instruction: null,
  tools: [],
});

class ScopedSink implements EventSink {
  constructor(
    private readonly events: EventSink,
    private readonly scope: string,
  ) {}

  emit(event: ExecutionEvent): void {
    this.events.emit({ ...event, data: { ...event.data, scope: this.scope } } as ExecutionEvent);
  }

  flush(): Promise<void> {
    return this.events.flush();
  }
}
