import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from 'capstan/kit';
import { call, testAgent } from 'capstan/kit/testing';
import { supportDesk } from '../capstan/domains/support-desk/index.ts';
import { supportAgent } from '../capstan/domains/support-desk/support-agent.ts';
import { findTickets } from '../capstan/domains/support-desk/tickets/find-tickets.tool.ts';
import { openTicket } from '../capstan/domains/support-desk/tickets/open-ticket.tool.ts';

function answering(rows: readonly object[], seen: unknown[] = []): Database {
  const database: Database = {
    query: <Row>(_sql: string, parameters?: readonly unknown[]) => {
      seen.push(parameters);
      return Promise.resolve(rows as Row[]);
    },
    transaction: (work) => work(database),
  };
  return database;
}

test('a ticket has a number at once, and is stored when the execution settles', async () => {
  const { staged, data } = await testAgent(supportAgent, {
    domain: supportDesk,
    database: answering([{ id: 12 }]),
    model: [
      call(openTicket, { subject: 'The lamp is broken', order_number: 'A-1001' }),
      'Ticket 12 is open.',
    ],
  });
  assert.deepEqual(data, { openedTicketId: 12 });
  assert.deepEqual(staged, [
    {
      kind: 'support_ticket.opened',
      data: { id: 12, subject: 'The lamp is broken', orderNumber: 'A-1001' },
    },
  ]);
});

test('tickets are looked for by the words of the message, among those of the tenant', async () => {
  const seen: unknown[] = [];
  const { calls } = await testAgent(supportAgent, {
    domain: supportDesk,
    database: answering([{ id: 7, subject: 'Broken lamp', order_number: null }], seen),
    model: [call(findTickets, { words: 'my lamp' }), 'There is one.'],
  });
  assert.deepEqual(seen, [['default', ['%my%', '%lamp%']]]);
  assert.match(calls[0]?.output ?? '', /1 found\..*Broken lamp/);
});
