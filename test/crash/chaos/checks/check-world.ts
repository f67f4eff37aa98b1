import type { ChaosWorld } from '../ledgers/chaos-world.js';
import {
  checkAcceptedWorkEnds,
  checkEndingsAreFinal,
  checkKeysNameOneExecution,
} from './check-acceptance.js';
import { checkEffort } from './check-effort.js';
import { checkExemptions } from './check-exemptions.js';
import { checkFairness } from './check-fairness.js';
import { checkEndings } from './check-endings.js';
import { checkConversationOrder, checkNoLostTurn } from './check-conversations.js';
import { checkIdempotentEffects, checkUnsafeEffects, checkWriteAhead } from './check-effects.js';
import { checkEventOrder, checkStreamedText } from './check-events.js';
import { checkOvertaken } from './check-leases.js';
import { checkBill } from './check-bill.js';
import { checkAudit, checkCallsHaveOutputs, checkFence, checkUsage } from './check-journal.js';
import {
  checkCancels,
  checkDeadlines,
  checkRecovery,
  checkResources,
  checkSecrets,
  checkTenants,
} from './check-limits.js';
import type { Check, Violation } from './violation.js';
import { checkScopes } from './check-scopes.js';
import { checkSignatures, checkWebhooksArrive } from './check-webhooks.js';

/** The promises that the checks hold a run to. */
export const INVARIANTS: Readonly<Record<string, { readonly promise: string; readonly check: Check }>> = {
  I1: { promise: 'accepted work ends, once', check: checkAcceptedWorkEnds },
  I2: { promise: 'an ending never changes', check: checkEndingsAreFinal },
  I3: { promise: 'one key is one execution', check: checkKeysNameOneExecution },
  I4: { promise: 'an unsafe call of the plan takes effect at most once', check: checkUnsafeEffects },
  I5: { promise: 'an idempotent call takes effect once', check: checkIdempotentEffects },
  I6: { promise: 'effects are announced first, and reported as what they are', check: checkWriteAhead },
  I7: { promise: 'an old attempt writes nothing', check: checkFence },
  I8: { promise: 'who was overtaken calls nothing more', check: checkOvertaken },
  I9: { promise: 'a conversation stays in order', check: checkConversationOrder },
  I10: { promise: 'every call has one output', check: checkCallsHaveOutputs },
  I11: { promise: 'no turn is lost to the next', check: checkNoLostTurn },
  I12: { promise: 'events come once, in order, up to the result', check: checkEventOrder },
  I13: { promise: 'streamed text is the stored text', check: checkStreamedText },
  I14: { promise: 'every ending is delivered, always the same', check: checkWebhooksArrive },
  I15: { promise: 'every webhook verifies', check: checkSignatures },
  I16: { promise: 'usage is what the provider says', check: checkUsage },
  I17: { promise: 'every call has its audit row', check: checkAudit },
  I18: { promise: 'no secret in the clear', check: checkSecrets },
  I19: { promise: 'tenants do not see each other', check: checkTenants },
  I20: { promise: 'deadlines hold', check: checkDeadlines },
  I21: { promise: 'what is cancelled begins nothing more', check: checkCancels },
  I22: { promise: 'the backlog drains by itself', check: checkRecovery },
  I23: { promise: 'nothing leaks', check: checkResources },
  I24: { promise: 'no tenant keeps the others waiting', check: checkFairness },
  I25: { promise: 'an unaffected execution completes', check: checkEndings },
  I26: { promise: 'nothing is tried endlessly', check: checkEffort },
  I27: { promise: 'few moments are exempt', check: checkExemptions },
  I28: { promise: 'usage is the ledger of the provider, by scope and to the token', check: checkBill },
  I29: { promise: 'an agent inside begins once and ends before its call', check: checkScopes },
};

/** The violations in this world. Pure. */
export function checkWorld(world: ChaosWorld): Violation[] {
  return Object.values(INVARIANTS).flatMap(({ check }) => check(world));
}
