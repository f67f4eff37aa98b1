import { describe, expect, it } from '@jest/globals';
import { DomainCatalogue } from '#libs/tooling';
import { orderEntry } from './order-entry.domain.js';

const { input, stored } = new DomainCatalogue([orderEntry]).messageData;

const FILE = {
  ...{ id: '01999999-9999-7999-8999-999999999999', name: 'order.pdf', media_type: 'application/pdf' },
  ...{ size_bytes: 7, sha256: 'ab' },
};
const SENT = {
  customerAccountNumber: 4001,
  customerAccountName: 'Harbor Grill',
  branchOrgId: 12,
  attachments: [FILE],
  domSnapshot: { title: 'Orders' },
};
const ADDED = {
  savedOrderRequestId: 5,
  referencedOrderRequestId: 4,
  outputReport: { lines: 3 },
  openaiFileAnnotations: [{ type: 'file_citation', file_id: 'a', index: 3 }],
};

describe('the data of messages that order entry declares', () => {
  it('is what the front end may send, each of it optional (S2-22)', () => {
    expect(input.safeParse(SENT).data).toEqual(SENT);
    for (const [key, value] of Object.entries(SENT)) {
      expect(input.safeParse({ [key]: value }).data).toEqual({ [key]: value });
    }
  });

  it.each([{ customerAccountNumber: '4001' }, { branchOrgId: 1.5 }, { attachments: {} }])(
    'refuses another type: %j (S2-22)',
    (data) => {
      expect(input.safeParse(data).success).toBe(false);
    },
  );

  it('is what the service adds to it, which no front end may send (S2-23)', () => {
    expect(stored.safeParse({ ...SENT, ...ADDED }).data).toEqual({ ...SENT, ...ADDED });
    for (const [key, value] of Object.entries(ADDED)) {
      expect(input.safeParse({ [key]: value }).success).toBe(false);
    }
  });
});
