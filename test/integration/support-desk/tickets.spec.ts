import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findTicketsTool, openTicketTool, TICKET_OPENED, ticketOpened } from '#libs/support-desk';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';
import {
  callTool,
  EXECUTION,
  openSupportDesk,
  OTHER_EXECUTION,
  STRANGER,
  TENANT,
} from './support-desk-database.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await openSupportDesk(database);
});
beforeEach(() => dataSource.query('DELETE FROM support_ticket'));
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const open = (subject: string, order_number: string | null = null) =>
  callTool(openTicketTool(dataSource.manager), { subject, order_number });
const settling = { tenantId: TENANT, executionId: EXECUTION };
const rows = () => dataSource.query<object[]>('SELECT * FROM support_ticket ORDER BY id');

/** Opens a ticket and settles its execution; returns the ticket's id. */
async function aTicket(subject: string, orderNumber: string | null = null): Promise<number> {
  const { staged = [] } = await open(subject, orderNumber);
  for (const change of staged) await ticketOpened.apply(dataSource.manager, change, settling);
  return Number(staged[0]?.data['id']);
}

describe('the tables of the support desk', () => {
  it('are what the entities say after the migration', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('all carry a tenant that is never null', async () => {
    const found = await dataSource.query<{ table_name: string }[]>(
      `SELECT table_name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'tenant_id' AND is_nullable = 'NO' ORDER BY table_name`,
    );
    expect(found.map((row) => row.table_name)).toEqual(['support_shop', 'support_ticket']);
  });

  it('can be undone and done again', async () => {
    await dataSource.undoLastMigration();
    const left = await dataSource.query<object[]>(
      `SELECT 1 FROM information_schema.tables WHERE table_schema = 'public' AND table_name LIKE 'support%'`,
    );
    expect(left).toEqual([]);
    await dataSource.runMigrations();
  });
});

describe('open_ticket', () => {
  it('answers and bakes a reserved number, stages the ticket and shows nothing yet (S2-24, S4-20)', async () => {
    const { result, bake, staged } = await open('The lamp is broken', 'A-1001');
    const id = Number(result.result['openedTicketId']);
    expect(id).toBeGreaterThan(0);
    expect(result).toEqual({
      status: 'success',
      result: { message: `Ticket ${id} is open.`, openedTicketId: id },
    });
    expect(bake).toEqual({ openedTicketId: id });
    const data = { id, subject: 'The lamp is broken', orderNumber: 'A-1001' };
    expect(staged).toEqual([{ kind: TICKET_OPENED, data }]);
    expect(await rows()).toEqual([]);
  });

  it.each([
    [{ subject: '', order_number: null }],
    [{ subject: 'x'.repeat(201), order_number: null }],
    [{ subject: 'x', order_number: 'A/1001' }],
    [{ subject: 'x' }],
  ])('refuses %j before it reserves anything (S2-37)', async (input) => {
    await expect(callTool(openTicketTool(dataSource.manager), input)).rejects.toThrow('open ticket');
  });

  it('becomes a row once, however often it is applied (S4-20)', async () => {
    const { staged = [] } = await open('The lamp is broken');
    for (const change of [...staged, ...staged])
      await ticketOpened.apply(dataSource.manager, change, settling);
    expect(await rows()).toMatchObject([
      { tenant_id: TENANT, execution_id: EXECUTION, subject: 'The lamp is broken', order_number: null },
    ]);
  });

  it('is never lost to the ticket of another execution that has its number', async () => {
    const { staged = [] } = await open('first');
    const [change] = staged;
    if (change === undefined) throw new Error('nothing was staged');
    await ticketOpened.apply(dataSource.manager, change, { ...settling, executionId: OTHER_EXECUTION });
    await expect(ticketOpened.apply(dataSource.manager, change, settling)).rejects.toMatchObject({
      code: 'SUPPORT_TICKET_ID_TAKEN',
    });
    await expect(
      ticketOpened.apply(dataSource.manager, change, { tenantId: STRANGER, executionId: OTHER_EXECUTION }),
    ).rejects.toMatchObject({ code: 'SUPPORT_TICKET_ID_TAKEN' });
  });
});

describe('find_tickets', () => {
  const find = async (words: string, tenantId = TENANT) => {
    const { result } = await callTool(findTicketsTool(dataSource.manager), { words }, tenantId);
    return (result.result['tickets'] as { id: number }[]).map(({ id }) => id);
  };

  it('finds by any word of the subject or by the order, the newest first (S2-9)', async () => {
    const lamp = await aTicket('Broken LAMP', 'A-1001');
    const chair = await aTicket('Chair is late', 'A-1002');
    expect(await find('lamps? my lamp')).toEqual([lamp]);
    expect(await find('a-1002')).toEqual([chair]);
    expect(await find('late or broken')).toEqual([chair, lamp]);
    expect(await find('sofa')).toEqual([]);
    expect(await find('?')).toEqual([]);
  });

  it('takes a percent sign for a percent sign, and sees no other tenant', async () => {
    const sale = await aTicket('The 50%_off code');
    await aTicket('Broken lamp');
    expect(await find('50%_off')).toEqual([sale]);
    expect(await find('%%')).toEqual([]);
    expect(await find('code', STRANGER)).toEqual([]);
  });
});
