import {
  visibleResponse,
  withAttachedTexts,
  type EndingPlan,
  type ExecutionContext,
  type FallbackRules,
  type LoopRules,
} from '#libs/agent-core';
import {
  describeAdditionalData,
  loopParametersSchema,
  withContext,
  type LookedUp,
  type LoopParameters,
  type ReadableMedia,
} from '#libs/payloads';
import type { JsonObject } from '#libs/kernel';
import { budgetSchema, type Budget, type Workspace } from '#libs/policy';
import { evaluateToolCall, meantCall, type ToolCatalogue } from '#libs/tooling';
import type { LoadedAttachments } from '../attachments/load-attachments.js';
import { ByteTokenizer } from './byte-tokenizer.js';
import type { Claim } from '../ports/claim-store.js';
import type { ResolvedModel } from '../ports/model-factory.js';
import { asPipeline } from '../pipelines/as-pipeline.js';
import type { PreparedByRunner } from '../runners/agent-runner.js';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import { composeInstruction, newSystemPrompt } from './conversation-prompt.js';
import { assertReadable, assertThere, parametersOf, parseParameters } from './plan-parameters.js';
import { asOffered, findChanged, listedOf, prepare, present } from './preparation.js';
import { countMessage, planHistory, promptRoom, tokensOf } from './plan-history.js';
import { planQuestion } from './plan-question.js';
import type { UsableContext } from './usable-context.js';

/** Dependencies of planning. */
export interface PlanOptions extends Pick<AttemptDependencies, 'messageData' | 'toolSearch'> {
  readonly sha256: (text: string) => string;
}

/** Context of a run with the files of its conversation and the attachments of its request. */
type EquippedContext = UsableContext & {
  readonly workspace: Workspace | null;
  readonly attached?: LoadedAttachments | null;
  /** Context of the request's data as the model reads it, and looked-up records; absent without look-ups. */
  readonly inputContext?: string;
  readonly lookedUp?: LookedUp;
};

export interface ExecutionPlan {
  readonly context: ExecutionContext;
  readonly rules: LoopRules;
  /** Tools that the loop may call. */
  readonly catalogue: ToolCatalogue;
  /** Media types that the model reads without conversion. */
  readonly nativeMedia: readonly ReadableMedia[];
  /** Output settings of the strategy; null for a run without a strategy. */
  readonly strategy: { readonly emitIntermediateThoughts: boolean; readonly isStreamed: boolean } | null;
  /** Name of the model's provider, for reports of the run. */
  readonly provider: string;
}

const PARALLEL_TOOL_CALLS = 8;

/** Options of a run, validated against its agent, tools and model. */
export interface CheckedOptions {
  /** Tools offered to the model. */
  readonly own: ToolCatalogue;
  readonly parameters: JsonObject;
  readonly loop: LoopParameters;
  readonly budget: Budget;
}

/**
 * Validates the options of a run before its preparation. Pure. Throws an `AppError`; its code and message become the
 * execution's error.
 * @param loaded tools that the agent may call
 */
export function checkOptions(
  claim: Claim,
  usable: UsableContext,
  model: Pick<ResolvedModel, 'parameters'>,
  loaded: ToolCatalogue,
): CheckedOptions {
  const own = asOffered(loaded, usable.preparation);
  const parameters = parametersOf(claim, usable);
  const loop = parseParameters(loopParametersSchema, parameters);
  const budget = parseParameters(budgetSchema, parameters['budget'] ?? {});
  assertThere(loop.require_approval, own);
  assertReadable(parameters, model.parameters);
  return { own, parameters, loop, budget };
}

/**
 * Plans the loop from the stored context (S4-4). Pure. Throws as {@link checkOptions}.
 * @param loaded tools that the agent may call
 * @param added the runner's preparation of a new run; it takes room from the history
 */
export function planExecution(
  claim: Claim,
  usable: EquippedContext,
  model: Omit<ResolvedModel, 'model'>,
  loaded: ToolCatalogue,
  { messageData, sha256, toolSearch }: PlanOptions,
  added: PreparedByRunner = {},
  { own, parameters, loop, budget }: CheckedOptions = checkOptions(claim, usable, model, loaded),
): ExecutionPlan {
  const prompt = composeInstruction(claim, usable, loop, model.tokenizer);
  const changedTools = findChanged(own, usable.preparation, sha256);
  const unchanged = own.describe().filter(({ name }) => !changedTools.has(name));
  const isPipeline = usable.usecaseType === 'CUSTOM';
  // A pipeline has no model that chooses tools; the loops of its steps select their own.
  const listed = isPipeline ? null : listedOf(own, usable.preparation, toolSearch.mostListed);
  const attached = usable.attached ?? null;
  const { input, additional_data: additionalData } = claim.request;
  const shownData = messageData.shownToModel(additionalData);
  const { inputContext = describeAdditionalData(shownData), lookedUp = {} } = usable;
  const fixed = [prompt.text ?? '', ...unchanged.map((tool) => JSON.stringify(tool))];
  const room = promptRoom(loop, parameters, model);
  const question = planQuestion((usable.preparation ?? added).retrieval, {
    input,
    around: (asked) => withContext(withAttachedTexts(asked, attached?.texts ?? []), inputContext),
    // A pinned question was sent before, so it is accepted without counting its tokens.
    fits: (text) => usable.preparation !== null || tokensOf([...fixed, text], room, model.tokenizer) <= room,
    sha256,
  });
  const rest = [...fixed, question.text];
  const history = planHistory(usable, claim, { ...loop, parameters }, { model, messageData, rest });
  const warnings = [...loaded.warnings, ...(attached?.warnings ?? []), ...question.warnings];
  const preparation = usable.preparation ?? {
    ...prepare(usable, claim.agentId, prompt, unchanged, listed, warnings, history.pinned, sha256),
    ...(attached !== null && { attachments: attached.pinned }),
    ...(Object.keys(lookedUp).length > 0 && { lookedUp }),
    ...(question.retrieval !== undefined && { retrieval: question.retrieval }),
  };
  const { catalogue, described } = present(own, listed, unchanged, toolSearch.indexTools);
  const context: ExecutionContext = {
    executionId: claim.executionId,
    tenantId: claim.tenantId,
    agentId: claim.agentId,
    sessionId: claim.sessionId,
    turnNumber: claim.turnNumber,
    attempt: claim.attempt,
    epoch: claim.epoch,
    followsLostAttempt: claim.followsLostAttempt,
    isSuspect: claim.isSuspect,
    model: usable.llm.model,
    parameters,
    tools: described,
    instruction: preparation.instruction,
    newSystemPrompt: newSystemPrompt(usable),
    history: history.messages,
    conversation: history.length,
    ...{ input, additionalData, inputContext },
    ...(attached !== null && { attached }),
    preparation,
  };
  const rulesOfLoop: LoopRules = {
    maximumIterations: loop.maximum_iterations,
    maxModelRetries: model.maxRetries,
    changedTools,
    ...(loop.fallbacks.length > 0 && { fallbacks: fallbackRules(loop) }),
    maxParallelToolCalls: loop.parallel_tool_calls ? PARALLEL_TOOL_CALLS : 1,
    asksAfterForeignContent: loop.require_approval_after_foreign_content,
    budget: withinTenant(budget, usable.tenant.settings.limits.tokens_per_execution),
    costOf: model.costOf,
    prices: model.prices,
    visibleText: visibleTextOf(loop, usable),
    countTokens: (message) => countMessage(message, model.tokenizer, messageData),
    forward: (call) => ({ ...call, ...meantCall(call, own, { isSearched: listed !== null }) }),
    evaluate: (call, parsed) => {
      const verdict = evaluateToolCall(call, catalogue, parsed);
      const isPolicy = loop.require_approval.includes(call.toolName);
      return verdict.kind === 'run' && isPolicy ? { ...verdict, needsApproval: true } : verdict;
    },
  };
  const given = { input, additional_data: shownData };
  const givenToTools = { input, additional_data: additionalData };
  const parts = { agent: usable, agentId: claim.agentId, given, givenToTools };
  return {
    context,
    rules: isPipeline ? asPipeline(rulesOfLoop, parts) : rulesOfLoop,
    catalogue,
    nativeMedia: loop.native_media ?? model.nativeMedia,
    strategy:
      loop.strategy === null || isPipeline
        ? null
        : { emitIntermediateThoughts: loop.emit_intermediate_thoughts, isStreamed: loop.enable_stream },
    provider: usable.llm.provider,
  };
}

function fallbackRules({ fallbacks: llms, fallback_after_seconds: seconds }: LoopParameters): FallbackRules {
  return { llms, rateLimitMs: seconds * 1_000 };
}

/** Plan for settling an execution without its tools. Throws as {@link planExecution}. */
export function planEnding(
  claim: Claim,
  usable: UsableContext,
  { costOf, prices }: Pick<ResolvedModel, 'costOf' | 'prices'>,
  messageData: PlanOptions['messageData'],
): EndingPlan {
  const parameters = parametersOf(claim, usable);
  const { input, additional_data: additionalData } = claim.request;
  const bytes = new ByteTokenizer();
  return {
    turn: { newSystemPrompt: newSystemPrompt(usable), input, additionalData, conversation: null },
    rules: {
      ...{
        costOf,
        prices,
        visibleText: visibleTextOf(parseParameters(loopParametersSchema, parameters), usable),
      },
      countTokens: (message) => countMessage(message, bytes, messageData),
    },
  };
}

/** A pipeline's answer is built from results of its steps, which contain no thinking. */
function visibleTextOf(
  loop: LoopParameters,
  { usecaseType }: Pick<UsableContext, 'usecaseType'>,
): LoopRules['visibleText'] {
  if (loop.strategy === null || loop.emit_intermediate_thoughts || usecaseType === 'CUSTOM')
    return (text) => text;
  const shown = { hasToolCalls: false, emitIntermediateThoughts: false, isLastRound: true };
  return (text) => visibleResponse(text, shown);
}

/** Caps the budget at the tenant's token limit per execution. */
function withinTenant(budget: Budget, mostTokens: number | null): Budget {
  if (mostTokens === null) return budget;
  return { ...budget, total_tokens: Math.min(budget.total_tokens ?? Infinity, mostTokens) };
}
