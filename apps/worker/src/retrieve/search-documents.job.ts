import { DocumentSearchStore } from '#libs/persistence';
import { defineJob } from '../jobs/define-job.js';
import { AccountedRetrieval } from './accounted-retrieval.js';
import { RetrievalModule } from './retrieval.module.js';
import { SearchDocuments } from './search-documents.js';

/** The API waits for this job and reads the outcome from its row. */
export const searchDocumentsJob = defineJob({
  queue: 'search-documents',
  concurrency: 4,
  imports: [RetrievalModule],
  inject: [DocumentSearchStore, AccountedRetrieval],
  make: (searches: DocumentSearchStore, retrieval: AccountedRetrieval) => {
    const search = new SearchDocuments({ searches, retrieval });
    return ({ tenantId, searchId }) => search.execute(tenantId, searchId);
  },
});
