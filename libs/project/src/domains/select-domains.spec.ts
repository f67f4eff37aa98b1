import { describe, expect, it } from '@jest/globals';
import { defineDomain, defineRoute, defineTool, Refusal, type Database, type DomainOptions } from '#libs/kit';
import type { ToolContext } from '#libs/tooling';
import { z } from 'zod';
import { readExports } from '../project-part.js';
import { toProjectDomains } from '../project-domain.js';
import { managerOf, toDatabase, toManager, type Manager } from './manager-database.js';
import { selectDomains } from './select-domains.js';

const book = defineTool({
  name: 'book_parcel',
  description: 'Books.',
  input: z.object({}),
  effect: 'idempotent',
  run: () => null,
});

function part(options: Partial<DomainOptions>, file = 'domains/parcels/index.ts', migrations: string[] = []) {
  const domain = defineDomain({ name: 'parcels', tools: [book], ...options });
  return readExports(
    file,
    { domain },
    migrations.map((name) => ({ name, sql: '' })),
  );
}

const STATEMENT = 'UPDATE x RETURNING id';
/** Answers as TypeORM does. */
const manager: Manager = {
  query: (sql) => Promise.resolve(sql === STATEMENT ? [[{ id: 1 }], 1] : [{ id: 2 }]),
  transaction: (<Result>(work: (inside: Manager) => Promise<Result>) =>
    work(manager)) as Manager['transaction'],
};

describe('domains of a project', () => {
  it('are domains of the service, with tools that agents of the project may name', () => {
    const { domains, problems } = toProjectDomains([
      part({ agents: [{ kind: 'capstan/agent', name: 'clerk', instruction: 'x', tools: [book] }] }),
    ]);
    expect(problems).toEqual([]);
    expect(domains.map(({ name, agents }) => [name, agents.map((agent) => agent.name)])).toEqual([
      ['parcels', []],
      ['project', ['clerk']],
    ]);
    expect(domains[0]?.tools({ manager }).map(({ name }) => name)).toEqual(['book_parcel']);
  });

  it.each<[string, ReturnType<typeof part>, string]>([
    ['outside of its folder', part({}, 'domains/other/index.ts'), 'must be named as its folder: "other"'],
    ['below tools', part({}, 'tools/parcels.ts'), 'is exported from domains/NAME/index.ts'],
    ['with a reserved schema', part({ name: 'public' }, 'domains/public/index.ts'), 'choose another one'],
    [
      'named as the other parts of a project',
      part({ name: 'project-2' }, 'domains/project-2/index.ts'),
      'choose',
    ],
    ['with an odd migration', part({}, undefined, ['1.sql']), 'the migration "1.sql" must be named'],
    ['with a tool twice', part({ tools: [book, { ...book }] }), 'another tool is named "book_parcel"'],
    [
      'with an unusable tool',
      part({ tools: [{ ...book, limits: { timeoutMs: 0 } }] }),
      'the tool "book_parcel"',
    ],
    [
      'with a key that is no name',
      part({ messageData: { input: { 'a-b': z.string() } } }),
      '"a-b" cannot be a key of messageData',
    ],
  ])('are left out %s, with the reason', (_case, given, reason) => {
    const { usable, problems } = selectDomains([given]);
    expect(usable).toEqual([]);
    expect(problems).toEqual([{ place: given.file, reason: expect.stringContaining(reason) }]);
  });

  it('get rows of any statement, also in a transaction', async () => {
    const database = toDatabase(manager);
    expect(await database.query(STATEMENT)).toEqual([{ id: 1 }]);
    expect(await database.transaction((inside) => inside.query('SELECT'))).toEqual([{ id: 2 }]);
    expect(managerOf(database)).toBe(manager);
    expect(() => managerOf({} as Database)).toThrow('must be the one that the service has passed');
  });

  it('begin a transaction of the isolation that they name, and none of its own inside another', async () => {
    const seen: unknown[] = [];
    const noting = (isTransactionActive: boolean): Manager => ({
      ...manager,
      queryRunner: { isTransactionActive },
      transaction: (first: unknown) => {
        seen.push(typeof first);
        return Promise.resolve(first as never);
      },
    });
    const work = (): Promise<unknown> => Promise.resolve(null);
    const outside = toDatabase(noting(false));
    await outside.transaction(work);
    expect(await outside.transaction(work, { isolation: 'repeatable read' })).toBe('REPEATABLE READ');
    expect(seen).toEqual(['function', 'string']);
    const inside = toDatabase(noting(true)).transaction(work, { isolation: 'repeatable read' });
    await expect(inside).rejects.toThrow('cannot be `repeatable read`');
    expect(seen).toHaveLength(2);
  });

  it('pass the isolation on where a test answers their statements', async () => {
    const seen: unknown[] = [];
    const answering: Database = {
      query: () => Promise.resolve([]),
      transaction: (work, options) => {
        seen.push(options);
        return work(answering);
      },
    };
    const database = toDatabase(toManager(answering));
    await database.transaction((inside) => inside.query('SELECT 1'));
    await database.transaction((inside) => inside.query('SELECT 2'), { isolation: 'repeatable read' });
    expect(seen).toEqual([undefined, { isolation: 'repeatable read' }]);
  });

  it('read the secrets of tenants in their tools, in a transaction or not', async () => {
    const seen: unknown[] = [];
    const reading = defineTool({
      ...book,
      run: async (_input, { secrets, database, tenantId }) => {
        const name = { tenantId, name: 'parcels/token' };
        return database.transaction(async (inside) => [
          await secrets.read(database, name),
          await secrets.read(inside, name),
        ]);
      },
    });
    const { usable } = selectDomains([part({ tools: [reading] })]);
    const secrets = {
      read: (asked: Manager, { name }: { name: string }) => {
        seen.push(asked);
        return Promise.resolve(name);
      },
    };
    const [tool] = usable[0]?.tools({ manager, running: { secrets, fetchFor: () => fetch } }) ?? [];
    const call = { tenantId: 't1', events: { progress: () => undefined } } as unknown as ToolContext;
    expect(await tool?.run({}, call)).toMatchObject({
      result: { result: { value: ['parcels/token', 'parcels/token'] } },
    });
    expect(seen).toEqual([manager, manager]);
  });

  it.each([
    [new Refusal('not_found', 'No parcel'), { code: 'NOT_FOUND', kind: 'not_found', message: 'No parcel' }],
    [
      new Refusal('conflict', 'Sealed', { code: 'SEALED' }),
      { code: 'SEALED', kind: 'conflict', message: 'Sealed' },
    ],
    [
      new Refusal('invalid_input', 'x', { faults: [{ path: ['seal'], detail: 'is wax' }] }),
      { code: 'VALIDATION_ERROR', faults: [{ path: ['seal'], detail: 'is wax' }] },
    ],
    // Another copy of the kit has another class; the mark is equal.
    [
      Object.assign(new Error('No'), { capstanRefusal: true, kind: 'not_found', code: 'X', faults: [] }),
      { code: 'X' },
    ],
    [new RangeError('boom'), { name: 'RangeError' }],
  ])('refuse by %s what the service answers', async (thrown, expected) => {
    const route = defineRoute({
      ...{ method: 'GET', path: 'parcels', operation: 'x', tag: 'x', summary: 'x', description: 'x' },
      scope: 'executions:read',
      answer: { status: 204, description: 'x' },
      handle: () => Promise.reject(thrown),
    });
    const { usable } = selectDomains([part({ routes: [route] })]);
    const handled = usable[0]?.routes[0]?.handle({} as never, { manager } as never);
    await expect(handled).rejects.toMatchObject(expected);
  });
});
