import type { ExecutionOutcome } from '../journal-entry.js';
import { outOfTime } from '../round-endings.js';
import { keptAnswer } from '../kept-answer.js';
import type { ScopeState } from '../scope-state.js';

/**
 * Outcome of a cancelled or late scope that cannot continue. @param isUnknown whether a call of it may have taken
 * effect
 */
export function stoppedOutcome(
  reason: 'cancelled' | 'deadline',
  scope: ScopeState,
  isUnknown: boolean,
): ExecutionOutcome {
  if (reason === 'cancelled') return { status: 'cancelled' };
  if (isUnknown) return { status: 'failed', error: UNKNOWN_CALLS };
  const ended = outOfTime(scope);
  return 'text' in ended ? { ...ended, ...keptAnswer(ended.text) } : ended;
}

const UNKNOWN_CALLS = {
  code: 'TOOL_OUTCOME_UNKNOWN',
  message: 'it is not known whether tool calls that had begun took effect',
} as const;
