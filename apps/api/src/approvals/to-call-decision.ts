import type { CallDecision } from '#libs/executions';
import type { DecisionsDto } from './approval.dto.js';

export function toCallDecision({
  call,
  reason,
  approved,
  outcome,
  output,
}: DecisionsDto['decisions'][number]): CallDecision {
  if (outcome === undefined) return { call, reason, approved: approved === true };
  const report = outcome === 'happened' ? { kind: outcome, output: output ?? null } : { kind: outcome };
  return { call, reason, report };
}
