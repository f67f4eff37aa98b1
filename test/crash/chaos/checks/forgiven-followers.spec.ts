import { describe, expect, it } from '@jest/globals';
import type { ChaosWorld } from '../ledgers/chaos-world.js';
import { checkWorld } from './check-world.js';
import { healthyWorld } from './healthy-world.js';

describe('the checks of what followers saw', () => {
  it('let events be missing, but not go back, while their store was away', () => {
    const outage = { streamOutages: [{ from: 450, to: 501 }] };
    const withGap = healthyWorld().followers.map(({ connections, ...follower }) => ({
      ...follower,
      connections: connections.map(({ afterId, events }) => ({ afterId, events: events.slice(1) })),
    }));
    const found = (world: Partial<ChaosWorld>) => checkWorld({ ...healthyWorld(), ...outage, ...world });
    // Two events are missing, and the outage explains the first one only.
    expect(found({ followers: withGap })).toHaveLength(1);
    expect(found({ followers: withGap, streamOutages: [{ from: 450, to: 505 }] })).toEqual([]);
    const goingBack = withGap.map((follower) => ({
      ...follower,
      connections: follower.connections.toReversed(),
    }));
    expect(found({ followers: goingBack })).toContainEqual(expect.objectContaining({ invariant: 'I12' }));
  });

  it('let what came after the first event be missing where a follower had that one late, and nothing else', () => {
    const without = (missing: number) =>
      healthyWorld().followers.map((follower) => ({
        ...follower,
        connections: follower.connections.map(({ afterId, events }) => ({
          afterId,
          events: events.filter(({ id }) => id !== missing).map((one) => ({ ...one, at: 1_900 })),
        })),
      }));
    const found = (missing: number, streamOutages: ChaosWorld['streamOutages']) =>
      checkWorld({ ...healthyWorld(), followers: without(missing), streamOutages }).map(
        ({ invariant }) => invariant,
      );
    const outage = { from: 450, to: 451 };
    expect(found(2, [outage])).not.toContain('I12');
    expect(found(2, [])).toContain('I12');
    expect(found(3, [outage])).toContain('I12');
  });

  it('let text be missing that its store lost after the end, before a follower had it', () => {
    const late = healthyWorld().followers.map((follower) => ({
      ...follower,
      connections: follower.connections.map(({ afterId, events }) => ({
        afterId,
        events: events.filter(({ event }) => event !== 'text_delta').map((one) => ({ ...one, at: 1_900 })),
      })),
    }));
    const found = (from: number) =>
      checkWorld({ ...healthyWorld(), followers: late, streamOutages: [{ from, to: from + 1 }] }).map(
        ({ invariant }) => invariant,
      );
    expect(found(1_800)).not.toContain('I13');
    expect(found(1_950)).toContain('I13');
  });

  it('ask of a follower that the end of the run cut off neither result nor text, and of no other', () => {
    const cutOff = (endedAt: number) =>
      healthyWorld().followers.map(({ executionId, connections }) => {
        return { executionId, endedAt, connections: connections.slice(0, 1) };
      });
    const finishedAt = healthyWorld().database.executions.find(({ id }) => id === 'e1')?.finishedAt ?? 0;
    const found = (endedAt: number) =>
      checkWorld({ ...healthyWorld(), followers: cutOff(endedAt) }).map(({ invariant }) => invariant);
    expect(found(finishedAt - 1)).toEqual([]);
    expect(found(finishedAt)).toEqual(['I12', 'I13']);
  });
});
