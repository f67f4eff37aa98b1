import { createHash } from 'node:crypto';
import {
  PlainReporter,
  ToolInvoker,
  type EventSink,
  type ExecutionContext,
  type LoopPorts,
  type LoopRules,
  type ModelPort,
  type ScopePlan,
  type ScopePlanner,
  type ToolInvocation,
} from '#libs/agent-core';
import { CatalogueToolInvoker } from '#libs/executions';
import { pause, systemClock, systemTimers } from '#libs/kernel';
import { isPipeline, type AgentTestOptions, type Database } from '#libs/kit';
import type { ToolFacilities } from '#libs/project';
import { ToolCatalogue, type ToolDefinition } from '#libs/tooling';
import type { EffectRecorder } from './effect-recorder.js';
import type { InMemoryJournal } from './in-memory-journal.js';
import { rulesOf, type TestedLoop } from './loop-rules.js';
import { SCRIPTED_MODEL, ScriptedModel, scriptOf } from './scripted-model.js';
import { toolsOfAgent, type TestedAgents } from './tested-agents.js';
import { defineTools } from './tested-tools.js';

/** Context and ports of one attempt, with the rules of the loop of the agent under test. */
export interface AttemptParts {
  readonly context: ExecutionContext;
  readonly rules: LoopRules;
  readonly ports: LoopPorts;
}

export interface TestedExecution {
  readonly agents: TestedAgents;
  readonly options: AgentTestOptions;
  readonly journal: InMemoryJournal;
  readonly recorder: EffectRecorder;
  readonly executionId: string;
}

const TENANT = 'default';
const TIMEOUT_MS = 300_000;

const SILENT: EventSink = {
  emit: () => undefined,
  flush: () => Promise.resolve(),
  isFollowed: () => false,
};
const NO_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NO_FILES = { open: () => Promise.resolve([]) };

function refuseStatement(): Promise<never> {
  return Promise.reject(new Error('no `database` in the options of the test answers this statement'));
}
const NO_DATABASE: Database = { query: refuseStatement, transaction: refuseStatement };

/**
 * Makes the parts of each attempt: loops around a scripted model and the agents' own tools, which end with the process of
 * the journal.
 */
export function attemptParts(
  tested: TestedExecution,
): (attempt: number, followsLostAttempt: boolean) => AttemptParts {
  const { agents, options, journal, recorder, executionId } = tested;
  const { database = NO_DATABASE, secrets = {} } = options;
  const facilities: ToolFacilities = {
    database,
    secrets: { read: (_database, { name }) => Promise.resolve(secrets[name] ?? null) },
    fetchFor: () => recorder.fetch,
  };
  const definitions = defineTools(agents.tools(), options.domain, facilities);
  const catalogue = new ToolCatalogue(definitions.map((tool) => recorded(tool, recorder)));
  const ids = { executionId, tenantId: TENANT, sessionId: executionId };
  const input = options.input ?? 'Go.';
  const request = { input, options: {}, additional_data: {}, executor: options.executor ?? undefined };
  const invoker = new CatalogueToolInvoker(
    { ...ids, request },
    { catalogue, events: SILENT, nativeMedia: [], lateOutcomes: journal },
    { files: NO_FILES, timers: systemTimers, random: () => 0, sha256, logger: NO_LOG },
  );
  return (attempt, followsLostAttempt) => {
    const lived = { ...ids, attempt, epoch: attempt, followsLostAttempt };
    const planOf = (loop: TestedLoop): ScopePlan => {
      const tools = catalogue.pick(toolNamesOf(agents, loop));
      const { instruction } = agents.of(loop.agentId);
      return {
        context: { ...NO_CONVERSATION, ...lived, instruction, input: loop.input, tools: tools.describe() },
        rules: rulesOf(agents, loop, tools),
        model: mortalModel(new ScriptedModel(scriptOf(options.model, loop.step), loop.step), journal),
        tools: new MortalTools(invoker, journal),
        events: SILENT,
        reporter: new PlainReporter(SILENT, attempt),
      };
    };
    const { context, rules, ...plan } = planOf({ agentId: 1, step: null, isOwnStep: false, input });
    const ports: LoopPorts = {
      ...plan,
      journal,
      scopes: plannerOf(planOf),
      clock: systemClock,
      waits: { begin: () => () => undefined },
      wait: (ms, signal) => pause(systemTimers, ms, signal),
      remainingMs: () => TIMEOUT_MS,
      timeoutMs: TIMEOUT_MS,
      random: () => 0,
    };
    return { context, rules, ports };
  };
}

/** Fields of a context that are equal in all loops. */
const NO_CONVERSATION = {
  agentId: 1,
  turnNumber: 1,
  isSuspect: false,
  model: SCRIPTED_MODEL,
  parameters: {},
  newSystemPrompt: null,
  history: [],
  conversation: null,
  additionalData: {},
  inputContext: '',
  preparation: null,
} satisfies Partial<ExecutionContext>;

function plannerOf(planOf: (loop: TestedLoop) => ScopePlan): ScopePlanner {
  return {
    plan: ({ agentId, name, input, step }) =>
      Promise.resolve(planOf({ agentId, step: name, isOwnStep: step !== undefined, input })),
    eventsOf: () => SILENT,
  };
}

/** Tools of the agent; a step may restrict them. */
function toolNamesOf(agents: TestedAgents, { agentId, step, isOwnStep }: TestedLoop): readonly string[] {
  const agent = agents.of(agentId);
  const own = isPipeline(agent) && isOwnStep ? agent.steps.find(({ name }) => name === step) : undefined;
  const action = own?.kind === 'map' ? own.do : own;
  const tools = action?.kind === 'llm' ? (action.tools ?? toolsOfAgent(agent)) : toolsOfAgent(agent);
  return tools.map(({ name }) => name);
}

function recorded(tool: ToolDefinition, recorder: EffectRecorder): ToolDefinition {
  return {
    ...tool,
    run: (input, context) => {
      recorder.begin({ tool: tool.name, key: context.idempotencyKey, input });
      return tool.run(input, context);
    },
  };
}

function mortalModel(model: ModelPort, journal: InMemoryJournal): ModelPort {
  return {
    call: async (...call) => {
      journal.assertAlive();
      return model.call(...call);
    },
  };
}

/** Tools of a process that begins no call once it has died. */
class MortalTools extends ToolInvoker {
  constructor(
    private readonly tools: ToolInvoker,
    private readonly journal: InMemoryJournal,
  ) {
    super();
  }

  override async invoke(invocation: ToolInvocation, signal: AbortSignal): ReturnType<ToolInvoker['invoke']> {
    this.journal.assertAlive();
    return this.tools.invoke(invocation, signal);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
