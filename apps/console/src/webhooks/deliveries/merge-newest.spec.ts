import { describe, expect, it } from '@jest/globals';
import type { WebhookDelivery } from '../../api/types.js';
import { mergeNewest } from './merge-newest.js';

const delivery = (number: number, status: WebhookDelivery['status'] = 'pending') =>
  ({ id: `evt_${number}`, created_at: `2026-11-28T12:00:0${number}.000Z`, status }) as WebhookDelivery;

describe('a refresh of the deliveries', () => {
  it('changes rows in their places and keeps new deliveries apart', () => {
    const head = [delivery(3), delivery(2, 'delivered')];
    expect(mergeNewest([delivery(2), delivery(1)], head, true)).toEqual({
      rows: [delivery(2, 'delivered'), delivery(1)],
      fresh: [delivery(3)],
      hasGap: false,
    });
  });

  it('takes no delivery for new that the list has not come to yet', () => {
    expect(mergeNewest([delivery(5)], [delivery(5), delivery(4)], true).fresh).toEqual([]);
  });

  it('says that deliveries may be missing when all that it read are new and there are more', () => {
    expect(mergeNewest([delivery(1)], [delivery(5), delivery(4)], true).hasGap).toBe(true);
    expect(mergeNewest([delivery(1)], [delivery(5), delivery(4)], false).hasGap).toBe(false);
  });
});
