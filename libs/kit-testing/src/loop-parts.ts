import { createHash } from 'node:crypto';
import {
  NO_AGENTS,
  PlainReporter,
  ToolInvoker,
  type EventSink,
  type ExecutionContext,
  type LoopPorts,
  type LoopRules,
  type ModelPort,
  type ToolInvocation,
} from '#libs/agent-core';
import { CatalogueToolInvoker } from '#libs/executions';
import { systemClock, systemTimers } from '#libs/kernel';
import type { Agent, AgentTestOptions, Database, Domain } from '#libs/kit';
import { loopParametersSchema } from '#libs/payloads';
import { toDomain, toManager, toToolDefinition, type ToolFacilities } from '#libs/project';
import {
  DomainCatalogue,
  evaluateToolCall,
  meantCall,
  ToolCatalogue,
  type ToolDefinition,
} from '#libs/tooling';
import type { EffectRecorder } from './effect-recorder.js';
import type { InMemoryJournal } from './in-memory-journal.js';
import { SCRIPTED_MODEL, ScriptedModel } from './scripted-model.js';

/** Arguments of the loop of one execution. */
export interface LoopParts {
  contextOf(attempt: number, followsLostAttempt: boolean): ExecutionContext;
  readonly rules: LoopRules;
  portsOf(attempt: number): LoopPorts;
}

interface TestedAgent {
  readonly agent: Agent;
  readonly options: AgentTestOptions;
  readonly journal: InMemoryJournal;
  readonly recorder: EffectRecorder;
  readonly executionId: string;
}

/** Fields of the context that differ between executions and attempts. */
type IdentityField = 'executionId' | 'tenantId' | 'sessionId' | 'attempt' | 'epoch' | 'followsLostAttempt';

const TENANT = 'default';
const TIMEOUT_MS = 300_000;

const SILENT: EventSink = { emit: () => undefined, flush: () => Promise.resolve() };
const NO_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NO_FILES = { open: () => Promise.resolve([]) };

function refuseStatement(): Promise<never> {
  return Promise.reject(new Error('no `database` in the options of the test answers this statement'));
}
const NO_DATABASE: Database = { query: refuseStatement, transaction: refuseStatement };

/** Parts of the loop around a scripted model and the agent's own tools, which end with the process of the journal. */
export function loopParts(tested: TestedAgent): LoopParts {
  const { agent, options, journal, recorder, executionId } = tested;
  const facilities = { database: options.database ?? NO_DATABASE, fetchFor: () => recorder.fetch };
  const definitions = toolsOf(agent, options.domain, facilities);
  const catalogue = new ToolCatalogue(definitions.map((tool) => recorded(tool, recorder)));
  const ids = { executionId, tenantId: TENANT, sessionId: executionId };
  const input = options.input ?? 'Go.';
  const request = { input, options: {}, additional_data: {}, executor: options.executor ?? undefined };
  const invoker = new CatalogueToolInvoker(
    { ...ids, request },
    { catalogue, events: SILENT, nativeMedia: [], lateOutcomes: journal },
    { files: NO_FILES, timers: systemTimers, random: () => 0, sha256, logger: NO_LOG },
  );
  const model = new ScriptedModel(options.model);
  return {
    contextOf: (attempt, followsLostAttempt) => ({
      ...contextOf(agent, input, catalogue),
      ...{ ...ids, attempt, epoch: attempt, followsLostAttempt },
    }),
    rules: rulesOf(catalogue),
    portsOf: (attempt) => ({
      journal,
      model: mortalModel(model, journal),
      tools: new MortalTools(invoker, journal),
      events: SILENT,
      reporter: new PlainReporter(SILENT, attempt),
      scopes: NO_AGENTS,
      clock: systemClock,
      waits: { begin: () => () => undefined },
      wait: () => Promise.resolve(),
      remainingMs: () => TIMEOUT_MS,
      timeoutMs: TIMEOUT_MS,
      random: () => 0,
    }),
  };
}

/** Tools of the agent; those of the domain may keep what it declares. */
function toolsOf(
  { tools = [] }: Agent,
  domain: Domain | undefined,
  facilities: ToolFacilities,
): ToolDefinition[] {
  const { fetchFor } = facilities;
  const secrets = { read: () => Promise.reject(new Error('a test has no secrets')) };
  const dependencies = { manager: toManager(facilities.database), running: { fetchFor, secrets } };
  const ofDomain =
    domain === undefined ? [] : new DomainCatalogue([toDomain(domain, [])]).tools(dependencies);
  return tools.map(
    (tool) => ofDomain.find(({ name }) => name === tool.name) ?? toToolDefinition(tool, facilities),
  );
}

function contextOf(
  { instruction }: Agent,
  input: string,
  catalogue: ToolCatalogue,
): Omit<ExecutionContext, IdentityField> {
  return {
    agentId: 1,
    turnNumber: 1,
    isSuspect: false,
    model: SCRIPTED_MODEL,
    parameters: {},
    tools: catalogue.describe(),
    instruction,
    newSystemPrompt: null,
    history: [],
    conversation: null,
    input,
    additionalData: {},
    inputContext: '',
    preparation: null,
  };
}

function rulesOf(catalogue: ToolCatalogue): LoopRules {
  return {
    maximumIterations: loopParametersSchema.parse({}).maximum_iterations,
    maxModelRetries: 0,
    // One after the other, so that each effect belongs to one call.
    maxParallelToolCalls: 1,
    changedTools: new Set(),
    forward: (call) => ({ ...call, ...meantCall(call, catalogue, { isSearched: false }) }),
    evaluate: (call, parsed) => evaluateToolCall(call, catalogue, parsed),
    asksAfterForeignContent: false,
    budget: { total_tokens: null, cost: null, rounds: null },
    visibleText: (text) => text,
    countTokens: ({ content }) => ({ count: content.length, tokenizer: 'characters' }),
    prices: null,
    costOf: () => null,
  };
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
