import {
  toRetrieverResources,
  visibleResponse,
  type EndingPlan,
  type ExecutionContext,
  type LoopRules,
  type Preparation,
  type RetrieverResources,
} from '#libs/agent-core';
import { AppError, type JsonObject } from '#libs/kernel';
import {
  buildContentFromAdditionalData,
  loopParametersSchema,
  mergeOptions,
  type LoopParameters,
  type ParameterRules,
  type PromptMessage,
} from '#libs/payloads';
import { budgetSchema, composePrompt, type Budget, type ComposedPrompt, type Workspace } from '#libs/policy';
import { judgeToolCall, type PromptTool, type ToolCatalogue } from '#libs/tooling';
import type { z } from 'zod';
import type { Claim } from '../ports/claim-store.js';
import type { StoredContext, StoredMessage, StoredTenant } from '../ports/stored-context.js';
import type { ResolvedModel } from '../ports/model-factory.js';
import type { AttemptDependencies } from './attempt-dependencies.js';

/** What plans are made with. */
export interface PlanOptions extends Pick<AttemptDependencies, 'messageData'> {
  readonly sha256: (text: string) => string;
}

export interface ExecutionPlan {
  readonly context: ExecutionContext;
  readonly rules: LoopRules;
  /** How the run is emitted; null where no strategy shapes it. */
  readonly strategy: { readonly emitIntermediateThoughts: boolean; readonly isStreamed: boolean } | null;
  readonly retrieverResources: RetrieverResources | null;
  /** Whose model it is, for the reports of the run. */
  readonly provider: string;
}

const PARALLEL_TOOL_CALLS = 8;

/**
 * Turns what is stored into what the loop needs (S4-4). Pure. Throws an `AppError` whose code and message become the
 * execution's error when its options cannot be used.
 *
 * @param loaded what the agent may call
 */
export function planExecution(
  claim: Claim,
  usable: UsableContext & { readonly workspace: Workspace | null },
  model: Pick<ResolvedModel, 'costOf' | 'maxRetries' | 'prices' | 'parameters'>,
  loaded: ToolCatalogue,
  { messageData, sha256 }: PlanOptions,
): ExecutionPlan {
  const catalogue = asOffered(loaded, usable.preparation);
  const parameters = parametersOf(claim, usable);
  const loop = parseParameters(loopParametersSchema, parameters);
  const budget = parseParameters(budgetSchema, parameters['budget'] ?? {});
  assertThere(loop.require_approval, catalogue);
  assertReadable(parameters, model.parameters);
  const prompt = composeInstruction(claim, usable, loop);
  const changedTools = findChanged(catalogue, usable.preparation, sha256);
  const offered = catalogue.describe().filter(({ name }) => !changedTools.has(name));
  const preparation = usable.preparation ?? prepare(usable, claim.agentId, prompt, offered, sha256);
  const context: ExecutionContext = {
    executionId: claim.executionId,
    tenantId: claim.tenantId,
    agentId: claim.agentId,
    sessionId: claim.sessionId,
    turnNumber: claim.turnNumber,
    attempt: claim.attempt,
    epoch: claim.epoch,
    followsLostAttempt: claim.followsLostAttempt,
    model: usable.llm.model,
    parameters,
    tools: offered,
    instruction: preparation.instruction,
    newSystemPrompt: newSystemPrompt(usable),
    history: usable.messages.flatMap((message) => toPromptMessage(message, messageData)),
    input: claim.request.input,
    additionalData: claim.request.additional_data,
    shownData: messageData.shownToModel(claim.request.additional_data),
    preparation,
  };
  const rules: LoopRules = {
    maximumIterations: loop.maximum_iterations,
    maxModelRetries: model.maxRetries,
    changedTools,
    maxParallelToolCalls: loop.parallel_tool_calls ? PARALLEL_TOOL_CALLS : 1,
    budget: withinTenant(budget, usable.tenant.settings.limits.tokens_per_execution),
    costOf: model.costOf,
    prices: model.prices,
    visibleText: visibleTextOf(loop),
    judge: (call) => {
      const verdict = judgeToolCall(call, catalogue);
      const isPolicy = loop.require_approval.includes(call.toolName);
      return verdict.kind === 'run' && isPolicy ? { ...verdict, needsApproval: true } : verdict;
    },
  };
  return {
    context,
    rules,
    strategy:
      loop.strategy === null
        ? null
        : { emitIntermediateThoughts: loop.emit_intermediate_thoughts, isStreamed: loop.enable_stream },
    retrieverResources: toRetrieverResources(claim.request.context),
    provider: usable.llm.provider,
  };
}

/** What it takes to end an execution whose tools are not there. Throws as {@link planExecution}. */
export function planEnding(
  claim: Claim,
  usable: UsableContext,
  { costOf, prices }: Pick<ResolvedModel, 'costOf' | 'prices'>,
): EndingPlan {
  const parameters = parametersOf(claim, usable);
  const { input, additional_data: additionalData } = claim.request;
  return {
    turn: { newSystemPrompt: newSystemPrompt(usable), input, additionalData },
    rules: { costOf, prices, visibleText: visibleTextOf(parseParameters(loopParametersSchema, parameters)) },
  };
}

function visibleTextOf(loop: LoopParameters): LoopRules['visibleText'] {
  if (loop.strategy === null || loop.emit_intermediate_thoughts) return (text) => text;
  const shown = { hasToolCalls: false, emitIntermediateThoughts: false, isLastRound: true };
  return (text) => visibleResponse(text, shown);
}

/** What may be run just now. */
export type UsableContext = StoredContext & { readonly tenant: StoredTenant };

/** Throws an `AppError` whose code and message become the execution's error. */
export function assertUsable(stored: StoredContext | null): UsableContext {
  if (!stored)
    throw new AppError({
      code: 'NOT_FOUND',
      kind: 'not_found',
      message: 'the agent does not exist any more',
    });
  const { tenant } = stored;
  if (tenant === null)
    throw new AppError({
      code: 'NOT_FOUND',
      kind: 'not_found',
      message: 'the tenant does not exist any more',
    });
  if (stored.preparation !== null) return { ...asPrepared(stored, stored.preparation), tenant };
  if (!tenant.isActive) throw inactive('tenant');
  if (!stored.agentIsActive) throw inactive('agent');
  if (!stored.llm.isActive) throw inactive('model configuration');
  return { ...stored, tenant };
}

/** An attempt that goes on offers what the first one did, in the same order; what has appeared since is not offered. */
function asOffered(catalogue: ToolCatalogue, preparation: Preparation | null): ToolCatalogue {
  if (preparation === null) return catalogue;
  const names = preparation.tools.map(({ name }) => name);
  const missing = names.filter((name) => !catalogue.find(name));
  if (missing.length > 0) throw unusable(missing.map((name) => `there is no tool named ${name}`));
  return catalogue.pick(names);
}

/** Tools that a release has changed since the first attempt: the model was promised something else under their names. */
function findChanged(
  catalogue: ToolCatalogue,
  preparation: Preparation | null,
  sha256: (text: string) => string,
): ReadonlySet<string> {
  const hashes = new Map(catalogue.describe().map((tool) => [tool.name, hashOf(tool, sha256)]));
  const changed = (preparation?.tools ?? []).filter(({ name, hash }) => hashes.get(name) !== hash);
  return new Set(changed.map(({ name }) => name));
}

function hashOf({ name, description, parameters }: PromptTool, sha256: (text: string) => string): string {
  return sha256(JSON.stringify([name, description, parameters]));
}

/** An attempt that goes on asks the same model the same way, whatever has become of its configuration since. */
function asPrepared(stored: StoredContext, { model, extra }: Preparation): StoredContext {
  return { ...stored, llm: { ...stored.llm, model, extra } };
}

function prepare(
  { agentVersion, llm }: StoredContext,
  agentId: number,
  prompt: ComposedPrompt,
  offered: readonly PromptTool[],
  sha256: (text: string) => string,
): Preparation {
  const tools = offered.map((tool) => ({ name: tool.name, hash: hashOf(tool, sha256) }));
  return {
    agent: { id: agentId, version: agentVersion },
    model: llm.model,
    extra: llm.extra,
    instruction: prompt.text,
    layers: prompt.layers.map(({ name, text }) => ({ name, hash: sha256(text) })),
    tools,
  };
}

function inactive(what: string): AppError {
  return new AppError({ code: 'INACTIVE_RESOURCE', kind: 'conflict', message: `the ${what} is inactive` });
}

/** A tool that has vanished since the agent was written is never silently left out. */
function assertThere(names: readonly string[], catalogue: ToolCatalogue): void {
  const missing = names.filter((name) => !catalogue.knows(name));
  if (missing.length > 0) throw unusable(missing.map((name) => `there is no tool named ${name}`));
}

/** By the reader that builds the request, before anything is asked. */
function assertReadable(parameters: JsonObject, understood: ParameterRules): void {
  const faults = understood.findFaults(parameters).map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > 0) throw unusable(faults);
}

function parseParameters<T>(schema: z.ZodType<T>, parameters: unknown): T {
  const parsed = schema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  throw unusable(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}

function unusable(faults: readonly string[]): AppError {
  return new AppError({
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
    message: `the options are not usable: ${faults.join('; ')}`,
  });
}

/** Every layer of the prompt around the agent's own words; a request's policies win over the agent's (S0-43). */
function composeInstruction(
  { request }: Claim,
  usable: UsableContext & { readonly workspace: Workspace | null },
  loop: LoopParameters,
): ComposedPrompt {
  const overrides = request.prompt_policy_overrides ?? loop.prompt_policy_overrides;
  return composePrompt({
    preferredSkills: request.preferred_skills ?? [],
    tenantPrompt: usable.tenant.systemPrompt,
    agent: {
      systemPrompt: storedPrompt(usable),
      policies: loop.strategy === null ? null : { overrides },
    },
    workspace: usable.workspace,
    skills: usable.skills,
  });
}

/** No execution may spend more than its tenant lets each of them. */
function withinTenant(budget: Budget, mostTokens: number | null): Budget {
  if (mostTokens === null) return budget;
  return { ...budget, total_tokens: Math.min(budget.total_tokens ?? Infinity, mostTokens) };
}

/** The prompt is stored once per session, before its first message (S3-11). */
function newSystemPrompt(stored: StoredContext): string | null {
  const isThere = stored.messages.some((message) => message.role === 'system');
  return isThere || !stored.systemPrompt ? null : stored.systemPrompt;
}

/** A conversation keeps the prompt that it began with. */
function storedPrompt(stored: StoredContext): string | null {
  return stored.messages.find((message) => message.role === 'system')?.content ?? stored.systemPrompt;
}

function toPromptMessage(
  { role, content, data }: StoredMessage,
  messageData: AttemptDependencies['messageData'],
): PromptMessage[] {
  if (role === 'tool') return [];
  return [{ role, content: buildContentFromAdditionalData(content, messageData.shownToModel(data)) }];
}

/** What a request asks for wins over its agent, and that over the configuration of the model (S3-26). */
function parametersOf(claim: Claim, usable: UsableContext): JsonObject {
  return mergeOptions(usable.llm.extra, usable.config, claim.request.options);
}
