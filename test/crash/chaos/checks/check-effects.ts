import { WATCHED_TOOLS } from '../../programs/watched-tools.js';
import { callKeyOf } from '../ledgers/call-key.js';
import type { CallRecord, ChaosWorld } from '../ledgers/chaos-world.js';
import type { JournalRow } from '../ledgers/database-ledger.js';
import { groupBy, type Violation } from './violation.js';

/** I4: an unsafe call of the plan takes effect at most once, even under different call keys. */
export function checkUnsafeEffects(world: ChaosWorld): Violation[] {
  return repeatedEffects(world, WATCHED_TOOLS.unsafe, 'I4');
}

/** I5: an idempotent call may be sent again, under the same key, and takes effect once. */
export function checkIdempotentEffects(world: ChaosWorld): Violation[] {
  return repeatedEffects(world, WATCHED_TOOLS.idempotent, 'I5');
}

function repeatedEffects(world: ChaosWorld, tool: string, invariant: string): Violation[] {
  const effects = groupBy(
    world.calls.filter((call) => call.tookEffect && call.tool === tool),
    (call) => call.item,
  );
  return [...effects]
    .filter(([, times]) => times.length > 1)
    .map(([item, times]) => ({
      invariant,
      subject: item,
      detail: `${tool} took effect ${times.length} times, as ${[...new Set(times.map(({ callKey }) => callKey))].join()}`,
    }));
}

/**
 * I6: an effect was planned, and, unless it only reads, announced in the journal before it took place; a success in the
 * journal did take place, and what did is not called a failure.
 */
export function checkWriteAhead(world: ChaosWorld): Violation[] {
  const started = new Map<string, JournalRow>();
  const succeeded = new Set<string>();
  for (const entry of world.database.journal) {
    const callKey = callKeyOf(entry);
    if (entry.kind === 'tool_call_started') started.set(callKey, entry);
    if (entry.kind === 'tool_call_settled' && entry.outcome === 'succeeded') succeeded.add(callKey);
  }
  const planned = new Set(world.plan.flatMap((turn) => turn.calls.map((call) => call.item)));
  const effects = world.calls.filter((call) => call.tookEffect);
  const taken = new Set(effects.map((effect) => effect.callKey));
  const watched = new Set<string>(Object.values(WATCHED_TOOLS));
  const audits = world.database.runSteps
    .filter((step) => watched.has(step.toolName))
    .map((step) => ({ ...step, callKey: callKeyOf(step) }));
  const broken = (subject: string, detail: string): Violation => ({ invariant: 'I6', subject, detail });
  return [
    ...effects
      .filter(({ tool }) => tool !== WATCHED_TOOLS.read)
      .flatMap((effect) => unannounced(effect, started.get(effect.callKey))),
    ...effects
      .filter((effect) => !planned.has(effect.item))
      .map((effect) => broken(effect.callKey, `${effect.tool} took place, but nobody planned it`)),
    ...audits
      .filter(({ callKey }) => succeeded.has(callKey) && !taken.has(callKey))
      .map(({ callKey }) => broken(callKey, 'the journal says that it succeeded, but it never took place')),
    ...audits
      .filter(
        ({ callKey, status, toolName }) =>
          isDenied(status) && toolName !== WATCHED_TOOLS.read && taken.has(callKey),
      )
      .map(({ callKey, status }) => broken(callKey, `took place, but its audit says "${status}"`)),
  ];
}

/** True for a status which says that the call took no effect. */
function isDenied(status: string): boolean {
  return status === 'failed' || status === 'refused';
}

function unannounced(effect: CallRecord, announcement: JournalRow | undefined): Violation[] {
  if (announcement && announcement.createdAt <= effect.at) return [];
  const detail = announcement
    ? `took place ${Math.round(announcement.createdAt - effect.at)} ms before the journal said that it begins`
    : 'took place without an entry in the journal';
  return [{ invariant: 'I6', subject: effect.callKey, detail: `${effect.tool} ${detail}` }];
}
