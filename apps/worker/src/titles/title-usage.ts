import type { ModelAnswer, ModelCallError, UsageRecord } from '#libs/agent-core';
import type { ResolvedModel } from '#libs/executions';
import type { ClaimedTitle } from '#libs/persistence';

const COMMON = { scope: '', purpose: 'title', round: 0, agentId: null } as const;

/**
 * What one try has cost, by what came of it: an answer, a failure, or `given_up` when its time was over.
 * @param asked the model that was asked
 */
export function usageOfTry(tryNumber: number, asked: string, costOf: ResolvedModel['costOf']) {
  return (ending: ModelAnswer | ModelCallError | 'given_up'): readonly UsageRecord[] => {
    const common = { ...COMMON, tryNumber };
    if (ending === 'given_up') return [unknown(tryNumber, asked)];
    if (!(ending instanceof Error)) {
      const { model, responseId, usage: tokens } = ending;
      const state = tokens === null ? 'unknown' : 'known';
      return [{ ...common, state, model, responseId, tokens, costUsd: costOf(tokens) }];
    }
    const { spent } = ending;
    const tokens = spent?.usage ?? null;
    const origin = { model: spent?.model ?? asked, responseId: spent?.responseId ?? null };
    return [
      { ...common, ...origin, state: 'failed', tokens, costUsd: tokens === null ? null : costOf(tokens) },
    ];
  };
}

/** Of the tries before the first one of a job, whose workers were lost: nobody can say what they have cost. */
export function earlierTries({ tryNumber, llm }: ClaimedTitle): readonly UsageRecord[] {
  if (llm === null) return [];
  return Array.from({ length: tryNumber - 1 }, (_unused, index) => unknown(index + 1, llm.model));
}

function unknown(tryNumber: number, model: string): UsageRecord {
  return { ...COMMON, tryNumber, state: 'unknown', model, responseId: null, tokens: null, costUsd: null };
}
