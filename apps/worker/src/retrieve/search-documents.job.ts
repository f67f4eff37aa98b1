import { DocumentSearchStore } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import { AccountedRetrieval } from './accounted-retrieval.js';
import { SearchDocuments } from './search-documents.js';

/** The API waits for it, and reads the outcome where it is written. */
export const searchDocumentsJob = defineJob({
  queue: 'search-documents',
  concurrency: 4,
  inject: [DataSource, AccountedRetrieval],
  make: (dataSource: DataSource, retrieval: AccountedRetrieval) => {
    const search = new SearchDocuments({ searches: new DocumentSearchStore(dataSource), retrieval });
    return ({ tenantId, searchId }) => search.execute(tenantId, searchId);
  },
});
