import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineDomain } from './domain.js';
import { MessageDataSchemas } from './message-data-schemas.js';

const none = new MessageDataSchemas([defineDomain({ name: 'tools-only' }).messageData]);
const issuesOf = (schemas: MessageDataSchemas, data: unknown): string[] =>
  schemas.input.safeParse(data).error?.issues.map(({ path, message }) => `${path.join('/')}: ${message}`) ??
  [];

describe('additional_data that no domain declares anything of', () => {
  it('is any object, kept as it came and shown to no model', () => {
    const data = { crm_id: 17, deep: { list: [1, null, { a: 'b' }] } };

    expect(none.input.parse(data)).toEqual(data);
    expect(none.stored.parse(data)).toEqual(data);
    expect(none.current(data)).toEqual(data);
    expect(none.shownToModel(data)).toEqual({});
  });

  it.each([['text'], [[1]], [null], [17]])('is an object: not %j', (data) => {
    expect(issuesOf(none, data)).toHaveLength(1);
  });

  it('is at most 64 kB of JSON, counted in bytes', () => {
    const ofBytes = (bytes: number): object => ({ a: 'é'.repeat((bytes - '{"a":""}'.length) / 2) });

    expect(issuesOf(none, ofBytes(65_536))).toEqual([]);
    expect(issuesOf(none, ofBytes(65_538))).toEqual([': must be at most 65536 bytes of JSON, and is 65538']);
  });

  it('has no key that only the service writes, and attachments as ever', () => {
    expect(issuesOf(none, { citations: [], openaiFileAnnotations: [] })).toEqual([
      'openaiFileAnnotations: is written by the service alone',
      'citations: is written by the service alone',
    ]);
    expect(issuesOf(none, { crm_id: 17, attachments: 'a.pdf' })).toEqual([
      expect.stringMatching(/^attachments: /),
    ]);
  });

  it.each(['input', 'stored'] as const)('is what domains declare where one declares %s', (part) => {
    const declared = defineDomain({ name: 'parcels', messageData: { [part]: { branch: z.string() } } });
    const schemas = new MessageDataSchemas([declared.messageData]);

    expect(issuesOf(schemas, { crm_id: 17 })).toEqual([
      expect.stringContaining('is not a key of any domain'),
    ]);
    expect(schemas.shownToModel({ branch: 'B7' })).toEqual({ branch: 'B7' });
  });
});
