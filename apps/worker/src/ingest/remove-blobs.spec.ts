import { beforeEach, describe, expect, it } from '@jest/globals';
import { BlobStoreUnavailableError } from '#libs/knowledge';
import { removeBlobs } from './remove-blobs.js';
import { InMemoryDocuments } from '../../../../test/support/fakes/knowledge/in-memory-documents.js';
import { InMemoryKnowledge } from '../../../../test/support/fakes/knowledge/in-memory-knowledge.js';

describe('unreferenced blobs', () => {
  let knowledge: InMemoryKnowledge;
  let documents: InMemoryDocuments;
  beforeEach(() => {
    knowledge = new InMemoryKnowledge();
    documents = new InMemoryDocuments(knowledge);
  });

  const give = (...keys: string[]) => {
    for (const key of keys) knowledge.disposable.set(key, { isDue: true });
  };
  /** A store that cannot remove the given blobs. */
  const storeWithout = (...stuck: string[]) => {
    const asked: string[] = [];
    const remove = (key: string) => {
      asked.push(key);
      return stuck.includes(key)
        ? Promise.reject(new BlobStoreUnavailableError(new Error('403')))
        : Promise.resolve();
    };
    return { asked, remove };
  };

  it('are removed, and forgotten', async () => {
    give('t/1', 't/2');
    const store = storeWithout();
    expect(await removeBlobs(documents, store)).toBe(2);
    expect(store.asked).toEqual(['t/1', 't/2']);
    expect(knowledge.disposable.size).toBe(0);
  });

  it('go although another one cannot be removed, which is put off, and its failure is thrown', async () => {
    give('t/stuck', 't/1', 't/2');
    await expect(removeBlobs(documents, storeWithout('t/stuck'))).rejects.toThrow(BlobStoreUnavailableError);
    expect([...knowledge.disposable]).toEqual([['t/stuck', { isDue: false }]]);
  });

  it('stay for later where the store does nothing, without asking it for each', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `t/${index}`);
    give(...keys);
    const silent = storeWithout(...keys);
    await expect(removeBlobs(documents, silent)).rejects.toThrow(BlobStoreUnavailableError);
    expect(silent.asked).toEqual(keys.slice(0, 5));
    expect(await documents.disposableBlobs(100)).toEqual(keys.slice(5));
  });
});
