import { describe, expect, it } from '@jest/globals';
import type { KnowledgeDocument } from '../../api/types.js';
import { followedKeys, type DocumentUpload } from './upload-queue.js';

const chosen = (key: string) => ({ key, place: { datasourceId: 1 }, file: {} as File });
const sending = (key: string): DocumentUpload => ({ ...chosen(key), state: 'sending', sent: 1, total: 2 });
const given = (key: string, state: KnowledgeDocument['state']): DocumentUpload => ({
  ...chosen(key),
  state: 'given',
  given: { state } as KnowledgeDocument,
});

describe('uploads of documents', () => {
  it('are followed while their documents are under way, so many at once', () => {
    const uploads = [given('a', 'ready'), sending('b'), given('c', 'parsing'), given('d', 'waiting')];
    expect([...followedKeys(uploads, 1)]).toEqual(['c']);
  });
});
