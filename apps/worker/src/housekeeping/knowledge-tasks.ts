import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { BlobStore } from '#libs/knowledge';
import { DocumentChangesStore, FileStore, IndexVectors } from '#libs/persistence';
import { IngestionDispatcher } from '../ingest/ingestion-dispatcher.js';
import { removeBlobs } from '../ingest/remove-blobs.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { disposeFiles } from './dispose-files.js';
import type { PeriodicTask } from './housekeeper.js';

const FILES_EVERY_MS = 60_000;
/** Searches find unindexed vectors too, only slower, so this may be rare. */
const VECTORS_EVERY_MS = 10_000;

/** Periodic tasks for documents and files; none when no storage is configured. */
@Injectable()
export class KnowledgeTasks {
  readonly tasks: readonly PeriodicTask[];

  constructor(
    documents: IngestionDispatcher,
    disposals: DocumentChangesStore,
    files: FileStore,
    vectors: IndexVectors,
    @Inject(BlobStore) blobs: BlobStore | null,
    @Inject(WORKER_CONFIG) { dispatch: { intervalMs: everyMs } }: AppConfig,
  ) {
    this.tasks =
      blobs === null
        ? []
        : [
            { name: 'dispatch documents', everyMs, run: () => documents.dispatch() },
            { name: 'remove blobs', everyMs, run: () => removeBlobs(disposals, blobs) },
            { name: 'index vectors', everyMs: VECTORS_EVERY_MS, run: () => vectors.execute() },
            { name: 'expire files', everyMs: FILES_EVERY_MS, run: () => disposeFiles(files) },
          ];
  }
}
