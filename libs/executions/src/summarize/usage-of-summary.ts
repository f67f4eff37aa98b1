import {
  ModelHostUnavailableError,
  type ModelAnswer,
  type ModelCallError,
  type UsageRecord,
} from '#libs/agent-core';
import type { ResolvedModel } from '../ports/model-factory.js';
import type { ClaimedSummary } from '../ports/summary-store.js';
import { unknownUsage, usageBesideLoop } from '../attempt/usage-beside-loop.js';

/** Unknown usage of a call about to be made, in case the worker dies during it. */
export function announced({ version: round, tryNumber, model }: ClaimedSummary): UsageRecord {
  return { ...unknownUsage({ purpose: 'summary', tryNumber, model }), round };
}

/** Usage of a call that was answered, failed, or was not made because the host was unavailable. */
export function spentOn(
  claimed: ClaimedSummary,
  ending: ModelAnswer | ModelCallError | ModelHostUnavailableError,
  costOf: ResolvedModel['costOf'],
): UsageRecord {
  if (ending instanceof ModelHostUnavailableError) return { ...announced(claimed), state: 'failed' };
  const { version: round, tryNumber, model } = claimed;
  return { ...usageBesideLoop({ purpose: 'summary', tryNumber, model }, ending, costOf), round };
}
