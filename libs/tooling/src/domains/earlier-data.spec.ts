import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { DomainCatalogue } from './domain-catalogue.js';
import { defineDomain } from './domain.js';

const letters = defineDomain({
  name: 'letters',
  messageData: { stored: { letterId: z.string() } },
});

describe('data that earlier releases have kept', () => {
  const renamed = defineDomain({
    name: 'renamed',
    messageData: {
      version: 3,
      stored: { parcels: z.array(z.object({ code: z.string() })) },
      earlier: [
        {
          version: 1,
          keys: { parcel: z.string() },
          upgrade: ({ parcel }) => ({ parcels: [parcel as string] }),
        },
        {
          version: 2,
          keys: { parcels: z.array(z.string()) },
          upgrade: ({ parcels: codes }) => ({ parcels: (codes as string[]).map((code) => ({ code })) }),
        },
      ],
    },
  });
  const { messageData } = new DomainCatalogue([renamed, letters]);

  it.each([
    ['the first version, through each that follows', { parcel: 'P-1' }],
    ['the version before', { parcels: ['P-1'] }],
    ['the present version', { parcels: [{ code: 'P-1' }] }],
  ])('are read as declared now: %s (S2-23)', (_what, data) => {
    expect(messageData.current({ ...data, letterId: 'a' })).toEqual({
      letterId: 'a',
      parcels: [{ code: 'P-1' }],
    });
    expect(messageData.shownToModel(data)).toEqual({ parcels: [{ code: 'P-1' }] });
  });

  it('stay as they are where no version reads them, and where they are of another domain', () => {
    for (const data of [{ parcel: 7 }, { letterId: 'a' }, {}, { parcel: 'P-1', parcels: ['P-1'] }])
      expect(messageData.current(data)).toEqual(data);
  });

  it('are not what a client may send, nor what a tool may bake', () => {
    expect(messageData.input.safeParse({ parcel: 'P-1' }).success).toBe(false);
  });
});
