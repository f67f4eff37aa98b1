import type { ExecutionContext, LoopRules } from '#libs/agent-core';
import { AppError, type Clock, type JsonObject } from '#libs/kernel';
import {
  buildContentFromAdditionalData,
  loopParametersSchema,
  mergeOptions,
  type LoopParameters,
  type PromptMessage,
} from '#libs/payloads';
import type { Claim, StoredContext, StoredMessage } from '#libs/persistence';
import { judgeToolCall, type ToolCatalogue } from '#libs/tooling';
import { z } from 'zod';
import type { ResolvedModel } from './model.factory.js';

export interface ExecutionPlan {
  readonly context: ExecutionContext;
  readonly rules: LoopRules;
}

const PARALLEL_TOOL_CALLS = 8;

const agentToolsSchema = z.object({ builtin: z.array(z.string()).default([]) });

/**
 * Turns what is stored into what the loop needs (S4-4). Pure. Throws an `AppError` whose code and message become the
 * execution's error when its options cannot be used.
 */
export function planExecution(
  claim: Claim,
  usable: StoredContext,
  model: Pick<ResolvedModel, 'costOf' | 'maxRetries'>,
  tools: ToolCatalogue,
  clock: Clock,
): ExecutionPlan {
  const parameters = mergeOptions(usable.llm.extra, usable.config, claim.request.options);
  const loop = parseLoopParameters(parameters);
  const offered = tools.describe(agentToolsSchema.parse(usable.tools).builtin);
  const offeredNames = new Set(offered.map((tool) => tool.name));
  const context: ExecutionContext = {
    executionId: claim.executionId,
    tenantId: claim.tenantId,
    agentId: claim.agentId,
    sessionId: claim.sessionId,
    turnNumber: claim.turnNumber,
    attempt: claim.attempt,
    epoch: claim.epoch,
    model: usable.llm.model,
    parameters,
    tools: offered,
    newSystemPrompt: newSystemPrompt(usable),
    history: usable.messages.flatMap(toPromptMessage),
    input: claim.request.input,
    additionalData: claim.request.additional_data,
  };
  const rules: LoopRules = {
    maximumIterations: loop.maximum_iterations,
    maxModelRetries: model.maxRetries,
    costOf: model.costOf,
    maxParallelToolCalls: loop.parallel_tool_calls ? PARALLEL_TOOL_CALLS : 1,
    deadlineAt: clock.now() + claim.remainingMs,
    judge: (call) => judgeToolCall(call, tools, offeredNames),
  };
  return { context, rules };
}

/** Throws an `AppError` whose code and message become the execution's error. */
export function assertUsable(stored: StoredContext | null): StoredContext {
  if (!stored)
    throw new AppError({
      code: 'NOT_FOUND',
      kind: 'not_found',
      message: 'the agent does not exist any more',
    });
  if (!stored.agentIsActive) throw inactive('agent');
  if (!stored.llm.isActive) throw inactive('model configuration');
  return stored;
}

function inactive(what: string): AppError {
  return new AppError({ code: 'INACTIVE_RESOURCE', kind: 'conflict', message: `the ${what} is inactive` });
}

function parseLoopParameters(parameters: JsonObject): LoopParameters {
  const parsed = loopParametersSchema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new AppError({
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
    message: `the options are not usable: ${faults.join('; ')}`,
  });
}

/** The prompt is stored once per session, before its first message (S3-11). */
function newSystemPrompt(stored: StoredContext): string | null {
  const isThere = stored.messages.some((message) => message.role === 'system');
  return isThere || !stored.systemPrompt ? null : stored.systemPrompt;
}

function toPromptMessage({ role, content, data }: StoredMessage): PromptMessage[] {
  if (role === 'tool') return [];
  return [{ role, content: buildContentFromAdditionalData(content, data) }];
}
