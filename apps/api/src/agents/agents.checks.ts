import { Injectable } from '@nestjs/common';
import { RUNNABLE_USECASES } from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import { ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import { optionNames, RETRIEVAL_PARAMETER_NAMES } from '#libs/payloads';
import {
  AgentStore,
  KnownDatasources,
  LlmStore,
  ToolServerStore,
  type AgentFields,
  type LlmView,
  type UsecaseType,
} from '#libs/persistence';
import { PIPELINE_KEYS, readMemorySettings } from '#libs/policy';
import { callableAgents, SEARCH_KNOWLEDGE, type AgentTool } from '#libs/tool-sources';
import { ToolCatalogue } from '#libs/tooling';
import { InvalidRequestError, pointerTo, type FieldError } from '../http/request-errors.js';
import type { AgentWarning } from './agents.dto.js';
import { unknownUsecaseType, unsupportedUsecaseType } from './agents.faults.js';
import { agentsOfPipeline, findPipelineFaults, limitsOfPipeline } from './pipeline-faults.js';
import { requireKnown, requireRetrieval, requireSearch } from './retrieval-faults.js';
import { findServerFaults, readServerSelection } from './server-faults.js';
import { findOptionFaults } from './option-faults.js';
import { findResemblingKeys } from './resembling-keys.js';
import { RunMaxima } from '../strategies/run-maxima.js';
import {
  findAgentToolFaults,
  findApprovalFaults,
  findCalledFaults,
  findToolFaults,
  readAgentTools,
} from './tool-faults.js';

/** The type as one that can run. Throws `UNSUPPORTED_USECASE_TYPE` (S3-30). */
export function requireImplemented(text: string): UsecaseType {
  const type = RUNNABLE_USECASES.find((runnable) => runnable === text);
  if (type === undefined) throw unsupportedUsecaseType();
  return type;
}

/** The same of a body. Throws `UNSUPPORTED_USECASE_TYPE`, with the types that there are (S3-30). */
export function requireUsecaseType(text: string): UsecaseType {
  const type = RUNNABLE_USECASES.find((runnable) => runnable === text);
  if (type === undefined) throw unknownUsecaseType();
  return type;
}

/** What an agent will be able to do, looked at before it is written. */
type CheckedFields = Pick<AgentFields, 'usecase_type' | 'llm' | 'config' | 'tools'>;

/** Judges agents before they are written: what would fail every one of their executions is refused now. */
@Injectable()
export class CheckAgent {
  constructor(
    private readonly agents: AgentStore,
    private readonly llms: LlmStore,
    private readonly catalogue: ModelCatalogue,
    private readonly providers: ProviderRegistry,
    private readonly tools: ToolCatalogue,
    private readonly servers: ToolServerStore,
    private readonly datasources: KnownDatasources,
    private readonly maxima: RunMaxima,
  ) {}

  /**
   * Keys that mean nothing and look as if they should. Throws an `InvalidRequestError` with every fault.
   *
   * @param written the agent that is written, where it is not new, and the tools that it has and that are not written
   */
  async execute(
    tenantId: string,
    fields: CheckedFields,
    {
      id: selfId = null,
      tools: kept = {},
      keepsDatasources = false,
      keepsConfig = false,
    }: WrittenAgentTools = {},
  ): Promise<AgentWarning[]> {
    const llm = (await this.llms.find(tenantId, fields.llm))?.view ?? null;
    const agents = readAgentTools(fields.tools);
    const callable = agents.kind === 'read' ? agents.tools : [];
    const selected = readServerSelection(fields.tools);
    const faults = [
      ...findToolFaults(fields.tools, this.tools),
      ...(agents.kind === 'faults' ? agents.faults : []),
      ...(selected.kind === 'faults'
        ? selected.faults
        : await this.findServerFaults(tenantId, selected.names)),
      ...(await this.findAgentFaults(tenantId, fields, callable, selfId)),
      ...findApprovalFaults(fields.config, 'config', this.tools, [
        ...[...callable, ...namesKept(kept)].map(({ name }) => name),
        SEARCH_KNOWLEDGE,
      ]),
      ...this.findOptionFaults(fields.config, llm),
      ...this.maxima.findAgentToolFaults(callable),
      ...(keepsConfig ? [] : this.findMaximaFaults(fields)),
      ...(await this.findMemoryLlmFaults(tenantId, fields.config)),
      ...(fields.usecase_type === 'CUSTOM'
        ? findPipelineFaults(fields.config, { ...kept, ...fields.tools }, this.tools)
        : []),
    ];
    if (faults.length > 0) throw new InvalidRequestError(faults);
    await this.checkRetrieval(tenantId, fields, keepsDatasources);
    return llm === null ? [] : this.warningsOf(fields, llm);
  }

  /** As `execute`, for a change of some fields: what is not given is as it is now. */
  async executeChange(tenantId: string, id: number, given: Partial<CheckedFields>): Promise<AgentWarning[]> {
    const { usecase_type, llm, config, tools } = given;
    if ([usecase_type, llm, config, tools].every((field) => field === undefined)) return [];
    const before = await this.agents.find(tenantId, id);
    // Whoever changes it says that it is not there.
    if (before === null) return [];
    const { view } = before;
    // Names that were there when they were written are not held against a change of something else.
    const { require_approval: _written, ...configNow } = view.config;
    const warnings = await this.execute(
      tenantId,
      {
        usecase_type: usecase_type ?? view.usecase_type,
        llm: llm ?? view.llm,
        config: config ?? configNow,
        tools: tools ?? {},
      },
      {
        id,
        tools: tools ? {} : view.tools,
        keepsDatasources: config === undefined && usecase_type === undefined,
        keepsConfig: config === undefined,
      },
    );
    return config === undefined ? [] : warnings;
  }

  private async findAgentFaults(
    tenantId: string,
    { usecase_type, config, tools }: CheckedFields,
    callable: readonly AgentTool[],
    selfId: number | null,
  ): Promise<FieldError[]> {
    const ofSteps = usecase_type === 'CUSTOM' ? agentsOfPipeline(config) : [];
    if (callable.length + ofSteps.length === 0) return [];
    const ids = [...callableAgents(callable), ...ofSteps].map(({ agentId }) => agentId);
    const active = await this.agents.findActive(tenantId, ids);
    const builtin = Array.isArray(tools['builtin']) ? tools['builtin'].map(String) : [];
    return [
      ...findAgentToolFaults(callable, selfId, active, builtin),
      ...ofSteps.flatMap(({ agentId, pointer }) => findCalledFaults(agentId, pointer, selfId, active)),
      ...(await this.findCircleFaults(tenantId, ofSteps, selfId)),
    ];
  }

  /** An agent that is new is called by nobody yet. */
  private async findCircleFaults(
    tenantId: string,
    ofSteps: ReturnType<typeof agentsOfPipeline>,
    selfId: number | null,
  ): Promise<FieldError[]> {
    const others = ofSteps.filter(({ agentId }) => agentId !== selfId);
    if (selfId === null || others.length === 0) return [];
    const ids = others.map(({ agentId }) => agentId);
    const circling = await this.agents.findLeadingTo(tenantId, ids, selfId);
    const detail = 'must be an agent whose steps do not lead back to this one';
    return others.flatMap(({ agentId, pointer }) => (circling.has(agentId) ? [{ pointer, detail }] : []));
  }

  private async findServerFaults(tenantId: string, names: readonly string[]): Promise<FieldError[]> {
    if (names.every((name) => name === '*')) return [];
    return findServerFaults(names, await this.servers.listKnown(tenantId));
  }

  private findOptionFaults(config: JsonObject, llm: LlmView | null): FieldError[] {
    // Whoever writes the agent says that there is none.
    if (llm === null) return [];
    const { catalogue, providers } = this;
    return findOptionFaults(config, llm, { field: 'config', below: [llm.extra] }, { catalogue, providers });
  }

  private findMaximaFaults({ usecase_type, config }: CheckedFields): FieldError[] {
    const limits = usecase_type === 'CUSTOM' ? limitsOfPipeline(config) : [];
    return [
      ...this.maxima.findFaults(config, ['config']),
      ...limits.flatMap(({ limits: given, place }) => this.maxima.findFaults(given, place)),
    ];
  }

  /** Who is asked for memories has to be there when the agent is written. */
  private async findMemoryLlmFaults(tenantId: string, config: JsonObject): Promise<FieldError[]> {
    const { llm } = readMemorySettings(config);
    if (llm === null || (await this.llms.find(tenantId, llm)) !== null) return [];
    const detail = `there is no model configuration with the id ${llm}`;
    return [{ pointer: pointerTo(['config', 'memory', 'llm']), detail }];
  }

  /** Throws an `InvalidRequestError` (422) where what it would search is not there, or not said. */
  private async checkRetrieval(
    tenantId: string,
    { usecase_type, config, tools }: CheckedFields,
    keepsDatasources: boolean,
  ): Promise<void> {
    const given = usecase_type === 'RAG_CHAT' ? requireRetrieval(config, 'config') : [];
    const ids = keepsDatasources ? [] : given;
    const searched = requireSearch(tools);
    const known = await this.datasources.find(tenantId, [...ids, ...searched]);
    const named = [
      { ids, place: ['config'] },
      { ids: searched, place: ['tools', SEARCH_KNOWLEDGE] },
    ];
    requireKnown(named, known);
  }

  private warningsOf({ usecase_type, config }: CheckedFields, llm: LlmView): AgentWarning[] {
    const ofModel = optionNames(this.providers.get(llm.provider).parameters);
    const known = [...ofModel, ...namesOfUsecase(usecase_type)];
    return findResemblingKeys(Object.keys(config), known).map(({ key, meant }) => ({
      pointer: pointerTo(['config', key]),
      detail: `is not known here and changes nothing; did you mean ${meant}?`,
    }));
  }
}

function namesOfUsecase(type: UsecaseType): readonly string[] {
  if (type === 'RAG_CHAT') return RETRIEVAL_PARAMETER_NAMES;
  return type === 'CUSTOM' ? PIPELINE_KEYS : [];
}

interface WrittenAgentTools {
  readonly id?: number | null;
  readonly tools?: JsonObject;
  /** Its datasources are not written now: those that are gone since are not held against the change. */
  readonly keepsDatasources?: boolean;
  /** Its config is not written now: the maxima may have been others when it was. */
  readonly keepsConfig?: boolean;
}

function namesKept(tools: JsonObject): readonly AgentTool[] {
  const read = readAgentTools(tools);
  return read.kind === 'read' ? read.tools : [];
}
