import { WATCHED_TOOLS } from '../../programs/watched-tools.js';
import type { ChaosWorld, EffectRecord } from '../ledgers/chaos-world.js';
import type { JournalRow } from '../ledgers/database-ledger.js';
import { groupBy, type Violation } from './violation.js';

/** I4: an unsafe call takes effect at most once. */
export function checkUnsafeEffects(world: ChaosWorld): Violation[] {
  return repeatedEffects(world, WATCHED_TOOLS.unsafe, 'I4');
}

/** I5: an idempotent call may be sent again, under the same key, and takes effect once. */
export function checkIdempotentEffects(world: ChaosWorld): Violation[] {
  return repeatedEffects(world, WATCHED_TOOLS.idempotent, 'I5');
}

function repeatedEffects(world: ChaosWorld, tool: string, invariant: string): Violation[] {
  const effects = groupBy(
    world.effects.filter((effect) => effect.tool === tool),
    (effect) => effect.callKey,
  );
  return [...effects]
    .filter(([, times]) => times.length > 1)
    .map(([callKey, times]) => ({
      invariant,
      subject: callKey,
      detail: `${tool} took effect ${times.length} times`,
    }));
}

/** I6: an effect was announced in the journal before it took place, and a success in the journal did take place. */
export function checkWriteAhead(world: ChaosWorld): Violation[] {
  const started = new Map<string, JournalRow>();
  const succeeded = new Set<string>();
  for (const entry of world.database.journal) {
    const callKey = `${entry.executionId}.${entry.round ?? 0}.${entry.position ?? 0}`;
    if (entry.kind === 'tool_call_started') started.set(callKey, entry);
    if (entry.kind === 'tool_call_settled' && entry.outcome === 'succeeded') succeeded.add(callKey);
  }
  const taken = new Set(world.effects.map((effect) => effect.callKey));
  const watched = new Set<string>(Object.values(WATCHED_TOOLS));
  const claimed = world.database.runSteps
    .filter((step) => watched.has(step.toolName))
    .map((step) => `${step.executionId}.${step.round}.${step.position}`);
  return [
    ...world.effects.flatMap((effect) => unannounced(effect, started.get(effect.callKey))),
    ...claimed
      .filter((callKey) => succeeded.has(callKey) && !taken.has(callKey))
      .map((callKey) => ({
        invariant: 'I6',
        subject: callKey,
        detail: 'the journal says that it succeeded, but it never took place',
      })),
  ];
}

function unannounced(effect: EffectRecord, announcement: JournalRow | undefined): Violation[] {
  if (announcement && announcement.createdAt <= effect.at) return [];
  const detail = announcement
    ? `took place ${Math.round(announcement.createdAt - effect.at)} ms before the journal said that it begins`
    : 'took place without a word in the journal';
  return [{ invariant: 'I6', subject: effect.callKey, detail: `${effect.tool} ${detail}` }];
}
