import {
  LeaseLostError,
  PlainReporter,
  runAgentLoop,
  ScopePlanner,
  EventSink,
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

/** The answers of each agent's model, round by round. */
export type AgentScripts = Readonly<Record<string, readonly (ModelAnswer | Error)[]>>;

export interface AgentWorldOptions {
  readonly onUnknown?: OnUnknown;
  readonly needsApproval?: readonly string[];
  /** Agents of effect `unsafe`, so that their calls run one after the other. */
  readonly unsafeAgents?: readonly string[];
  readonly rules?: Readonly<Record<string, Partial<LoopRules>>>;
  /** The limits by the name of the called agent. */
  readonly limits?: Readonly<Record<string, ScopeLimits>>;
}

/** Counts the tokens that the model's server has charged, by agent. */
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

/** Agents that call each other by name: a tool with an agent's name runs that agent. */
export class AgentWorld extends ScopePlanner {
  readonly models = new ChargingModel();
  readonly world: LoopWorld;
  readonly planned: ScopeRequest[] = [];
  /** Agents that were removed after the execution began. */
  readonly gone = new Set<string>();
  /** Agents with tools that never load. */
  readonly stalled = new Set<string>();
  /** Ends the time limit of the agent of this name. */
  readonly timeouts = new Map<string, () => void>();
  /** The milliseconds left of each time limit when its timer started. */
  readonly granted: number[] = [];
  /** Called with the name of an agent that is about to begin. */
  onPlan: (name: string) => void = () => undefined;
  /** True if each attempt follows a lost one. */
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

  /** Runs one attempt; returns `died` if its worker died. */
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

  /**
   * Recognises a time limit by its length, as limits differ from each other and from backoffs; an agent is called with its
   * whole time left.
   */
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
    const evaluate = (call: Parameters<LoopRules['evaluate']>[0]): CallVerdict => {
      const asks = { needsApproval: needsApproval.includes(call.toolName) };
      const effect = unsafeAgents.includes(call.toolName) ? 'unsafe' : 'idempotent';
      if (call.toolName in this.scripts) return { ...opening(call, effect, limits[call.toolName]), ...asks };
      const verdict = plain.evaluate(call);
      return verdict.kind === 'run' ? { ...verdict, ...asks } : verdict;
    };
    return { ...plain, evaluate, costOf: (tokens) => (tokens ? '0.25' : null), ...rules[agent] };
  }
}

function opening(
  { toolName: name, arguments: input }: Parameters<LoopRules['evaluate']>[0],
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

class ScopedSink extends EventSink {
  constructor(
    private readonly events: EventSink,
    private readonly scope: string,
  ) {
    super();
  }

  override emit(event: ExecutionEvent): void {
    this.events.emit({ ...event, data: { ...event.data, scope: this.scope } } as ExecutionEvent);
  }

  override flush(): Promise<void> {
    return this.events.flush();
  }
}
