import { describe, expect, it } from '@jest/globals';
import { DomainCatalogue } from '#libs/tooling';
import type { OutputReport } from '../../../../examples/order-entry/capstan/domains/order-entry/agent-results/output-report.ts';
import { DOMAIN } from '../order-entry-database.js';

const { messageData } = new DomainCatalogue([DOMAIN]);
const { input, stored } = messageData;

const FILE = {
  ...{ id: '01999999-9999-7999-8999-999999999999', name: 'order.pdf', media_type: 'application/pdf' },
  ...{ size_bytes: 7, sha256: 'ab' },
};
const SENT = {
  customerAccountNumber: 4001,
  customerAccountName: 'Harbor Grill',
  branchOrgId: 12,
  attachments: [FILE],
  domSnapshot: { title: 'Orders', url: 'https://shop.example/orders', html: '<main></main>', scroll: 3 },
};
const REPORT: OutputReport = {
  summary: 'Three lines, one open.',
  orderRequestId: 5,
  customerName: null,
  readyLines: 2,
  openLines: 1,
  review: { verdict: 'needs_person', findings: [{ line: 2, problem: 'Which size?' }] },
};
const BAKED = {
  savedOrderRequestId: 5,
  referencedOrderRequestId: 4,
  outputReport: REPORT,
};
const KEPT = {
  ...SENT,
  ...BAKED,
  openaiFileAnnotations: [{ type: 'file_citation', file_id: 'a', index: 3 }],
};

describe('the data of messages that order entry declares', () => {
  it('is what the front end may send, each of it optional (S2-22)', () => {
    expect(input.safeParse(SENT).data).toEqual(SENT);
    for (const [key, value] of Object.entries(SENT)) {
      expect(input.safeParse({ [key]: value }).data).toEqual({ [key]: value });
    }
  });

  it.each([
    { customerAccountNumber: '4001' },
    { customerAccountName: 7 },
    { branchOrgId: 1.5 },
    { attachments: {} },
    { domSnapshot: '<main></main>' },
    { domSnapshot: { html: ['<main></main>'] } },
  ])('refuses another type: %j (S2-22)', (data) => {
    expect(input.safeParse(data).success).toBe(false);
  });

  it('is what the service adds to it, which no front end may send (S2-23)', () => {
    expect(stored.safeParse(KEPT).data).toEqual(KEPT);
    for (const [key, value] of Object.entries(KEPT)) {
      expect(input.safeParse({ [key]: value }).success).toBe(Object.hasOwn(SENT, key));
    }
  });

  it('has a report of one shape only (S2-18, S2-23)', () => {
    for (const key of Object.keys(REPORT)) {
      const lacking = Object.fromEntries(Object.entries(REPORT).filter(([name]) => name !== key));
      expect(stored.safeParse({ outputReport: lacking }).success).toBe(false);
    }
    expect(stored.safeParse({ outputReport: { ...REPORT, more: 1 } }).success).toBe(false);
  });
});

describe('messages of the first version', () => {
  it('is read as it stands where it is as declared now (S2-23)', () => {
    expect(messageData.current(KEPT)).toEqual(KEPT);
  });

  it('is a report of any shape, and is now one with what it says that has a place (S2-23)', () => {
    const earlier = {
      savedOrderRequestId: 5,
      outputReport: { summary: 'All well.', lines: 3, review: 'ok' },
    };
    const now = {
      savedOrderRequestId: 5,
      outputReport: {
        ...{ summary: 'All well.', orderRequestId: null, customerName: null },
        ...{ readyLines: 0, openLines: 0, review: null },
      },
    };
    expect(messageData.current(earlier)).toEqual(now);
    expect(stored.parse(now)).toEqual(now);
  });

  it('is a snapshot of any shape, and is now one without what is of another type (S2-22)', () => {
    const earlier = { domSnapshot: { title: 5, html: '<main></main>', nodes: [1] }, branchOrgId: 12 };
    const now = { domSnapshot: { html: '<main></main>', nodes: [1] }, branchOrgId: 12 };
    expect(messageData.current(earlier)).toEqual(now);
    expect(input.parse(now)).toEqual(now);
  });

  it('is left alone where no version reads it', () => {
    const strange = { savedOrderRequestId: 'five', outputReport: {} };
    expect(messageData.current(strange)).toEqual(strange);
  });
});
