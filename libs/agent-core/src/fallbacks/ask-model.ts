import { AppError } from '#libs/kernel';
import { NO_TOKENS } from '#libs/payloads';
import type { NextAction } from '../decide-next-action.js';
import { callModel, type CostOf } from '../effects/call-model.js';
import type { LoopPorts } from '../effects/loop-ports.js';
import type { ExecutionContext } from '../execution-context.js';
import type { JournalEntry } from '../journal-entry.js';
import type { LoopRules } from '../loop-rules.js';
import { ModelHostUnavailableError } from '../ports/model-host-unavailable-error.js';
import type { ScopeState } from '../scope-state.js';
import type { RunningPlan } from '../scopes/scope-run.js';
import type { SwitchReason } from './switch-reason.js';

type CallModel = Extract<NextAction, { kind: 'call_model' }>;
type ModelSwitched = Extract<JournalEntry, { kind: 'model_switched' }>;

/** The model that a scope is at, with the context as this model reads it. */
interface AskedModel {
  readonly model: LoopPorts['model'];
  readonly context: ExecutionContext;
  /** Absent if the execution's own prices apply. */
  readonly costOf?: CostOf;
}

/** Name of the model that the scope is at. */
export function modelOf({ fallback }: Pick<ScopeState, 'fallback'>, own: string): string {
  return fallback?.model ?? own;
}

/**
 * One try of a call of the model that the scope is at. Where its host is not asked at all, the scope goes on with a
 * fallback, if there is one.
 */
export async function askModel(
  action: CallModel,
  state: ScopeState,
  plan: RunningPlan,
  ports: LoopPorts,
  signal: AbortSignal,
  ownCostOf: CostOf | undefined,
): Promise<readonly JournalEntry[]> {
  const asked: AskedModel = state.fallback === null ? plan : await findFallback(state.fallback, plan);
  const { model, context, costOf = ownCostOf } = asked;
  try {
    const ofScope = { ...ports, ...plan, model };
    return await callModel(action, state, context, ofScope, signal, plan.rules, costOf);
  } catch (error) {
    const fallbacks = action.fallbacks ?? [];
    if (!(error instanceof ModelHostUnavailableError) || fallbacks.length === 0) throw error;
    const switched = await switchModel(
      { round: action.round, reason: 'breaker_open', fallbacks },
      state,
      plan,
    );
    if (switched.to === null) throw error;
    return [switched];
  }
}

/** Switches to the first usable fallback; `to` is null if none is usable. */
export async function switchModel(
  asked: { readonly round: number; readonly reason: SwitchReason; readonly fallbacks: readonly number[] },
  state: ScopeState,
  { fallbacks, events, context }: RunningPlan,
): Promise<ModelSwitched> {
  const { round, reason } = asked;
  const unusable: number[] = [];
  for (const llmId of asked.fallbacks) {
    const found = (await fallbacks?.find(llmId)) ?? null;
    if (found !== null) {
      const from = modelOf(state, context.model);
      events.emit({ event: 'model_switched', data: { round, from, model: found.name, reason } });
      return { kind: 'model_switched', round, reason, to: { llmId, model: found.name }, unusable };
    }
    unusable.push(llmId);
  }
  return { kind: 'model_switched', round, reason, to: null, unusable };
}

/** A later attempt asks the model that an earlier one has switched to, and never goes back. */
async function findFallback(
  fallback: NonNullable<ScopeState['fallback']>,
  { context, fallbacks }: RunningPlan,
): Promise<AskedModel> {
  const found = (await fallbacks?.find(fallback.llmId)) ?? null;
  if (found === null) {
    const message = 'the model configuration that the execution has switched to is inactive or gone';
    throw new AppError({ code: 'INACTIVE_RESOURCE', kind: 'conflict', message });
  }
  const { name, parameters } = found;
  return {
    model: found.model,
    context: { ...context, model: name, parameters },
    costOf: costRecorder(found),
  };
}

/**
 * Prices a call at the time of the call: when the execution settles, its scope may have ended and its model may be
 * gone.
 */
export function costRecorder({ costOf }: Pick<LoopRules, 'costOf'>): CostOf {
  return (tokens) => {
    if (tokens === null) return { cost: null };
    const { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens } = tokens;
    const prompt = costOf({ ...NO_TOKENS, input_tokens, cached_input_tokens, total_tokens: input_tokens });
    const completion = costOf({ ...NO_TOKENS, output_tokens, reasoning_tokens, total_tokens: output_tokens });
    return { cost: prompt === null || completion === null ? null : { prompt, completion } };
  };
}
