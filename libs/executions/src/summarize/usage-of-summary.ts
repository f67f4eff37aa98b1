import {
  ModelHostUnavailableError,
  type ModelAnswer,
  type ModelCallError,
  type UsageRecord,
} from '#libs/agent-core';
import type { ResolvedModel } from '../ports/model-factory.js';
import type { ClaimedSummary } from '../ports/summary-store.js';
import { unknownUsage, usageBesideLoop } from '../attempt/usage-beside-loop.js';

/** Of a call that is about to be made: who dies now has spent nobody knows what. */
export function announced({ version: round, tryNumber, model }: ClaimedSummary): UsageRecord {
  return { ...unknownUsage({ purpose: 'summary', tryNumber, model }), round };
}

/** Of one that was answered, that failed, or that was not made since nobody was there. */
export function spentOn(
  claimed: ClaimedSummary,
  ending: ModelAnswer | ModelCallError | ModelHostUnavailableError,
  costOf: ResolvedModel['costOf'],
): UsageRecord {
  if (ending instanceof ModelHostUnavailableError) return { ...announced(claimed), state: 'failed' };
  const { version: round, tryNumber, model } = claimed;
  return { ...usageBesideLoop({ purpose: 'summary', tryNumber, model }, ending, costOf), round };
}
