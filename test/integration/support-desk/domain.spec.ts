import { describe, expect, it } from '@jest/globals';
import { DomainCatalogue, isStrictSchema } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { DOMAIN } from './support-desk-database.js';

const catalogue = new DomainCatalogue([DOMAIN]);
const manager = {} as EntityManager;
const tools = catalogue.tools({ manager });
const { input, stored } = catalogue.messageData;

const SENT = { supportChannel: 'chat', shownOrderNumber: 'A-1001', supportUserAgent: 'Foxfire/9' };
const BAKED = {
  openedTicketId: 7,
  refundReceipt: { orderNumber: 'A-1001', amount: '49.90', receipt: null },
};

describe('the tools of the support desk', () => {
  it('have strict schemas, so that a model can be held to them (S2-10)', () => {
    expect(tools.filter(({ inputSchema }) => !isStrictSchema(inputSchema))).toEqual([]);
    catalogue.checkAgents({ manager });
  });

  it('each say what a repetition of them does', () => {
    expect(Object.fromEntries(tools.map(({ name, effect }) => [name, effect]))).toEqual({
      find_tickets: 'read',
      open_ticket: 'idempotent',
      refund: 'unsafe',
    });
  });
});

describe('the data of messages that the support desk declares', () => {
  it('is what the front end may send, each of it optional, and nothing that tools add (S2-22, S2-23)', () => {
    expect(input.parse(SENT)).toEqual(SENT);
    for (const [key, value] of Object.entries(SENT))
      expect(input.parse({ [key]: value })).toEqual({ [key]: value });
    for (const [key, value] of Object.entries(BAKED))
      expect(input.safeParse({ [key]: value }).success).toBe(false);
    expect(stored.parse({ ...SENT, ...BAKED })).toEqual({ ...SENT, ...BAKED });
  });

  it.each([{ supportChannel: 'fax' }, { shownOrderNumber: 'A/1001' }, { supportUserAgent: 'x'.repeat(501) }])(
    'refuses %j (S2-22)',
    (data) => {
      expect(input.safeParse(data).success).toBe(false);
    },
  );

  it('lets a tool bake what it declares and nothing else (S2-24)', () => {
    const baked = tools.find(({ name }) => name === 'refund')?.keeps?.baked;
    expect(baked?.safeParse(BAKED).success).toBe(true);
    expect(baked?.safeParse({ refundReceipt: { orderNumber: 'A-1001' } }).success).toBe(false);
    expect(baked?.safeParse({ savedRefund: 1 }).success).toBe(false);
  });

  it('is shown to the model but for the program of the customer (S2-24)', () => {
    const { supportUserAgent: _hidden, ...shown } = SENT;
    expect(catalogue.messageData.shownToModel({ ...SENT, ...BAKED })).toEqual({ ...shown, ...BAKED });
  });
});
