import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NO_RETRY,
  type Claim,
  type ClaimedState,
  type ClaimOptions,
  type ClaimResult,
} from '#libs/executions';
import { ExecutionClaimStore, ExecutionContextStore } from '#libs/persistence';
import { v7 as uuid } from 'uuid';
import { postgresJournalOf } from '../../contract/journal/postgres-journal-of.js';
import { aSubmission } from '../../support/builders/submission.js';
import { waitFor } from '../../support/services/wait-for.js';
import { CLAIM_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
beforeEach(async () => {
  await world.clear();
  await world.dataSource.query('DELETE FROM worker');
});
afterAll(() => world.close());

/** Claims at the same time, so that the claims share a statement. */
function claimTogether(
  ids: readonly string[],
  optionsOf: (index: number) => Partial<ClaimOptions> = () => ({}),
): Promise<ClaimResult[]> {
  return Promise.all(
    ids.map((id, index) => world.claims.claim(id, { ...CLAIM_OPTIONS, ...optionsOf(index) })),
  );
}

const kinds = (results: readonly ClaimResult[]): string[] => results.map(({ kind }) => kind);

function taken(results: readonly ClaimResult[]): { claim: Claim; state: ClaimedState | null }[] {
  return results.flatMap((result) => (result.kind === 'claimed' ? [result] : []));
}

async function acceptMany(count: number, tenantId = 'default'): Promise<string[]> {
  const submissions = Array.from({ length: count }, () => aSubmission({ tenantId }));
  for (const submission of submissions) await world.acceptances.accept(submission);
  return submissions.map(({ executionId }) => executionId);
}

/** Number of transactions that wait for a lock on the table. */
async function waitingFor(table: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    'SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = $1::regclass',
    [table],
  );
  return row?.count ?? 0;
}

const query = <Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
  world.dataSource.query<Row[]>(sql, [...parameters]);

describe('claims that are asked for at the same time', () => {
  it('are one transaction, and each has a token of its own', async () => {
    const ids = await acceptMany(12);
    const results = await claimTogether(ids);
    expect(kinds(results)).toEqual(ids.map(() => 'claimed'));
    expect(taken(results).map(({ claim }) => claim.executionId)).toEqual(ids);
    expect(new Set(taken(results).map(({ claim }) => claim.token)).size).toBe(12);
    expect(new Set(taken(results).flatMap(({ claim }) => claim.messageIds)).size).toBe(36);
    const transactions = await query<{ xmin: string }>('SELECT DISTINCT xmin::text FROM execution');
    expect(transactions).toHaveLength(1);
  });

  it('come with the data for the next attempt, of any number', async () => {
    const [first = '', second = ''] = await acceptMany(2);
    const earlier = await world.claim(first);
    const journal = postgresJournalOf(world, earlier);
    await journal.read();
    await journal.append({
      entries: [
        { kind: 'model_call_lost', round: 1, model: 'm' },
        { kind: 'tool_call_started', round: 1, position: 0, scope: '1.0' },
      ],
      runSteps: [],
    });
    await world.claims.release(earlier);
    const results = taken(await claimTogether([first, second]));
    expect(results.map(({ claim }) => claim.attempt)).toEqual([2, 1]);
    const contexts = new ExecutionContextStore(world.dataSource);
    for (const { claim, state } of results) {
      expect(state?.context).toEqual(await contexts.load(claim, NO_RETRY));
      const facts = await query(
        `SELECT sequence, version, kind, scope, data FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`,
        [claim.executionId],
      );
      expect(state?.facts).toEqual(facts);
    }
    expect(results.map(({ state }) => state?.facts.length)).toEqual([2, 0]);
  });

  it.each(['still has it', 'has it in between'] as const)(
    'come with nothing when another transaction that %s writes in between',
    async (who) => {
      const { id } = await world.accept();
      let writer = await world.claim(id);
      if (who === 'still has it') await world.expireLease(id);
      else await world.claims.release(writer);
      // The claim has read the facts and waits for the slots when new facts are written.
      const holder = world.dataSource.createQueryRunner();
      await holder.startTransaction();
      await holder.query('LOCK TABLE worker');
      const claiming = claimTogether([id]);
      await waitFor(async () => (await waitingFor('worker')) === 1, { description: 'the claim to wait' });
      if (who === 'has it in between') {
        writer = { ...writer, epoch: 2 };
        await query(`UPDATE execution SET status = 'running', epoch = 2, attempt = 2 WHERE id = $1`, [id]);
      }
      const journal = postgresJournalOf(world, writer);
      await journal.read();
      await journal.append({ entries: [{ kind: 'model_call_lost', round: 1, model: 'm' }], runSteps: [] });
      if (who === 'has it in between') await world.claims.release(writer);
      await holder.commitTransaction();
      await holder.release();

      const [result] = taken(await claiming);
      expect([result?.claim.epoch, result?.state]).toEqual([writer.epoch + 1, null]);
    },
  );

  it('do not wait for a locked execution', async () => {
    const [locked = '', ...others] = await acceptMany(4);
    const holder = world.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM execution WHERE id = $1 FOR UPDATE', [locked]);
    const waiting = claimTogether([locked]);
    expect(kinds(await claimTogether(others))).toEqual(others.map(() => 'claimed'));
    const both = Promise.all([waiting, claimTogether([locked])]);
    await holder.commitTransaction();
    await holder.release();
    // Two claims waited for the locked execution, and one gets it.
    expect(kinds((await both).flat()).sort()).toEqual(['claimed', 'not_runnable']);
  });

  it('never take both the last place of a tenant while another one waits', async () => {
    await query(`INSERT INTO worker (id, places) VALUES ('w', 6)`);
    const big = await acceptMany(5, 'big');
    const [small = ''] = await acceptMany(1, 'small');
    await query(`UPDATE execution SET dispatched_at = now() WHERE tenant_id = 'small'`);
    expect(kinds(await claimTogether([...big, small]))).toEqual([
      ...['claimed', 'claimed', 'claimed', 'not_now', 'not_now'],
      'claimed',
    ]);
    const [row] = await query<{ put_off: number; together: boolean }>(
      `SELECT count(*)::int AS put_off, count(DISTINCT due_at) = 1 AS together FROM execution
        WHERE status = 'queued' AND due_at > now()`,
    );
    // Postponed executions have different due times, so that they do not return at the same moment.
    expect(row).toEqual({ put_off: 2, together: false });
  });

  it('take each suspect that can be isolated, beside any others', async () => {
    const ids = await acceptMany(6);
    const suspects = ids.slice(0, 4);
    await query(`UPDATE execution SET lost_attempts = 2 WHERE id = ANY($1)`, [suspects]);
    // A cancelled suspect is only ended, which needs no process of its own.
    await query(`UPDATE execution SET cancel_requested_at = now() WHERE id = $1`, [suspects[3]]);
    const results = await claimTogether(ids, (index) => ({ canIsolate: index === 1 || index === 2 }));
    expect(kinds(results)).toEqual(['not_now', 'claimed', 'claimed', 'claimed', 'claimed', 'claimed']);
    expect(taken(results).map(({ claim }) => claim.isSuspect)).toEqual([true, true, false, false, false]);
    expect(results[0]).toEqual({ kind: 'not_now', isSuspect: true });
  });

  it('from several tenants never wait for each other', async () => {
    await query(`INSERT INTO worker (id, places) VALUES ('w', 40)`);
    await acceptMany(1, 'deprived');
    await acceptMany(1, 'deprived too');
    const other = new ExecutionClaimStore(world.dataSource);
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await acceptMany(2, 'a'), await acceptMany(2, 'b')];
      const claim = (id: string | undefined, store = world.claims) => store.claim(id ?? '', CLAIM_OPTIONS);
      const results = await Promise.all([
        ...[claim(a[0]), claim(b[0])],
        ...[claim(b[1], other), claim(a[1], other)],
      ]);
      expect(kinds(results)).toEqual(['claimed', 'claimed', 'claimed', 'claimed']);
    }
  });

  it('take of a session what is its turn', async () => {
    const first = await world.accept();
    const second = await world.accept({ sessionId: first.sessionId });
    const [other = ''] = await acceptMany(1);
    expect(kinds(await claimTogether([second.id, first.id, other]))).toEqual([
      'not_runnable',
      'claimed',
      'claimed',
    ]);
  });

  it('give suspects to workers with room for them, and postpone the others', async () => {
    const ids = await acceptMany(3);
    await query(`UPDATE execution SET lost_attempts = 2 WHERE id = ANY($1)`, [ids.slice(0, 2)]);
    const results = await claimTogether(ids, (index) => ({ canIsolate: index === 1 }));
    expect(kinds(results)).toEqual(['not_now', 'claimed', 'claimed']);
    expect(taken(results).map(({ claim }) => claim.isSuspect)).toEqual([true, false]);
  });

  it('give what is poisoned, cancelled or late to be ended, place or not', async () => {
    await query(`INSERT INTO worker (id, places) VALUES ('w', 2)`);
    const [poisoned, cancelled, late, plain] = await acceptMany(4, 'big');
    await acceptMany(1, 'small');
    await query(`UPDATE execution SET isolated_deaths = 2 WHERE id = $1`, [poisoned]);
    await query(`UPDATE execution SET cancel_requested_at = now() WHERE id = $1`, [cancelled]);
    await query(`UPDATE execution SET deadline_at = now() - interval '1 second' WHERE id = $1`, [late]);
    const ids = [poisoned ?? '', cancelled ?? '', late ?? '', plain ?? ''];
    const results = await claimTogether(ids);
    expect(kinds(results)).toEqual(['poisoned', 'claimed', 'claimed', 'claimed']);
    expect(taken(results).map(({ claim }) => claim.isCancelled)).toEqual([true, false, false]);
    expect(taken(results)[1]?.claim.remainingMs).toBeLessThan(0);
  });

  it('are given by different rules all the same', async () => {
    const ids = await acceptMany(2);
    const results = await claimTogether(ids, (index) => ({ workerId: `w${index}` }));
    expect(kinds(results)).toEqual(['claimed', 'claimed']);
    const owners = await query<{ owner: string }>(
      'SELECT lease_owner AS owner FROM execution ORDER BY lease_owner',
    );
    expect(owners.map(({ owner }) => owner)).toEqual(['w0', 'w1']);
  });

  it('are not refused because of one that cannot be read, which is claimed as well', async () => {
    const ids = await acceptMany(3);
    await query(`UPDATE execution SET agent_version = NULL WHERE id = $1`, [ids[1]]);
    await query(
      `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, data)
       VALUES ($1, 1, 'default', 0, 1, 'execution_prepared', '{"agent": {"version": "?"}}')`,
      [ids[1]],
    );
    const results = await claimTogether(ids);
    expect(kinds(results)).toEqual(['claimed', 'claimed', 'claimed']);
    expect(taken(results).map(({ state }) => state)).toEqual([null, null, null]);
  });

  it('answer nothing of an execution that there is not, beside one that there is', async () => {
    const [id = ''] = await acceptMany(1);
    expect(kinds(await claimTogether([uuid(), id]))).toEqual(['not_runnable', 'claimed']);
  });
});
