import { Injectable } from '@nestjs/common';
import { RUNNABLE_USECASES } from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import { ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import { optionNames, RETRIEVAL_PARAMETER_NAMES } from '#libs/payloads';
import {
  AgentStore,
  DatasourceStore,
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
import { unknownUsecaseType, unsupportedUsecaseType } from './agents.errors.js';
import { agentsOfPipeline, findPipelineFaults, limitsOfPipeline } from './pipeline-faults.js';
import { requireKnown, requireRetrieval, requireSearch } from './retrieval-faults.js';
import { findFallbackFaults } from './fallback-faults.js';
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

/** Narrows the text to a usecase type that can run. Throws `UNSUPPORTED_USECASE_TYPE` (S3-30). */
export function requireImplemented(text: string): UsecaseType {
  const type = RUNNABLE_USECASES.find((runnable) => runnable === text);
  if (type === undefined) throw unsupportedUsecaseType();
  return type;
}

/**
 * As {@link requireImplemented}, for a field of the body: `UNSUPPORTED_USECASE_TYPE` then lists the supported types (S3-30).
 */
export function requireUsecaseType(text: string): UsecaseType {
  const type = RUNNABLE_USECASES.find((runnable) => runnable === text);
  if (type === undefined) throw unknownUsecaseType();
  return type;
}

/** The fields of an agent that decide whether its executions can succeed. */
type CheckedFields = Pick<AgentFields, 'usecase_type' | 'llm' | 'config' | 'tools'>;

/** Validates an agent before it is written, so that a mistake that would fail every execution is refused at once. */
@Injectable()
export class CheckAgent {
  constructor(
    private readonly agents: AgentStore,
    private readonly llms: LlmStore,
    private readonly catalogue: ModelCatalogue,
    private readonly providers: ProviderRegistry,
    private readonly tools: ToolCatalogue,
    private readonly servers: ToolServerStore,
    private readonly datasources: DatasourceStore,
    private readonly maxima: RunMaxima,
  ) {}

  /**
   * Returns warnings for unknown keys that resemble known ones. Throws an `InvalidRequestError` with every fault.
   * @param written id, current tools and untouched parts of an existing agent; empty for a new one
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
      ...(await findFallbackFaults(tenantId, fields.config, this.llms)),
      ...(fields.usecase_type === 'CUSTOM'
        ? findPipelineFaults(fields.config, { ...kept, ...fields.tools }, this.tools)
        : []),
    ];
    if (faults.length > 0) throw new InvalidRequestError(faults);
    await this.checkRetrieval(tenantId, fields, keepsDatasources);
    return llm === null ? [] : this.warningsOf(fields, llm);
  }

  /** As `execute`, for a partial change: omitted fields keep their current values. */
  async executeChange(tenantId: string, id: number, given: Partial<CheckedFields>): Promise<AgentWarning[]> {
    const { usecase_type, llm, config, tools } = given;
    if ([usecase_type, llm, config, tools].every((field) => field === undefined)) return [];
    const before = await this.agents.find(tenantId, id);
    // The update itself answers `NOT_FOUND`.
    if (before === null) return [];
    const { view } = before;
    // A stored tool name may have vanished since; it does not block a change of another field.
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

  /** Finds steps that lead back to this agent. No pipeline can call a new agent yet, so it has no cycles. */
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
    // The write itself refuses a missing model configuration.
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

  /** The model configuration that extracts memories must exist when the agent is written. */
  private async findMemoryLlmFaults(tenantId: string, config: JsonObject): Promise<FieldError[]> {
    const { llm } = readMemorySettings(config);
    if (llm === null || (await this.llms.find(tenantId, llm)) !== null) return [];
    const detail = `there is no model configuration with the id ${llm}`;
    return [{ pointer: pointerTo(['config', 'memory', 'llm']), detail }];
  }

  /** Throws an `InvalidRequestError` (422) where the agent would search missing datasources, or names none to search. */
  private async checkRetrieval(
    tenantId: string,
    { usecase_type, config, tools }: CheckedFields,
    keepsDatasources: boolean,
  ): Promise<void> {
    const given = usecase_type === 'RAG_CHAT' ? requireRetrieval(config, 'config') : [];
    const ids = keepsDatasources ? [] : given;
    const searched = requireSearch(tools);
    const known = await this.datasources.findKnown(tenantId, [...ids, ...searched]);
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
  /** True where the change leaves the datasources alone: ones deleted since do not block the change. */
  readonly keepsDatasources?: boolean;
  /** True where the change leaves the config alone: it may exceed maxima that were lowered since. */
  readonly keepsConfig?: boolean;
}

function namesKept(tools: JsonObject): readonly AgentTool[] {
  const read = readAgentTools(tools);
  return read.kind === 'read' ? read.tools : [];
}
