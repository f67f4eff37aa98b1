import { describe, expect, it } from '@jest/globals';
import type { KnowledgeDocument } from '../../api/types.js';
import { followedKeys, isAnyOpen, sentPart, uploadsToBegin, type Upload } from './upload-list.js';

const chosen = (key: string) => ({ key, datasourceId: 1, file: {} as File });
const waiting = (key: string): Upload => ({ ...chosen(key), state: 'waiting' });
const sending = (key: string): Upload => ({ ...chosen(key), state: 'sending', sent: 1, total: 2 });
const given = (key: string, state: KnowledgeDocument['state']): Upload => ({
  ...chosen(key),
  state: 'given',
  document: { state } as KnowledgeDocument,
});
const keysOf = (uploads: readonly Upload[]): string[] => uploads.map(({ key }) => key);

describe('uploads', () => {
  it('begin in their order, so many at once', () => {
    expect(keysOf(uploadsToBegin([sending('a'), waiting('b'), waiting('c')], 2))).toEqual(['b']);
    expect(uploadsToBegin([sending('a'), sending('b'), waiting('c')], 2)).toEqual([]);
  });

  it('are open until all bytes are there', () => {
    expect([
      isAnyOpen([waiting('a')]),
      isAnyOpen([sending('a')]),
      isAnyOpen([given('a', 'waiting')]),
    ]).toEqual([true, true, false]);
  });

  it('are followed while their documents are under way, so many at once', () => {
    const uploads = [given('a', 'ready'), sending('b'), given('c', 'parsing'), given('d', 'waiting')];
    expect([...followedKeys(uploads, 1)]).toEqual(['c']);
  });

  it('without bytes have no part that is sent', () => {
    expect([sentPart(0, 0), sentPart(1, 4), sentPart(9, 4)]).toEqual([0, 0.25, 1]);
  });
});
