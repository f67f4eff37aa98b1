import type { Provider } from '@nestjs/common';
import { openBlobs } from '#libs/blob-store';
import type { AppConfig } from '#libs/config';
import { DocumentChangesStore } from '#libs/persistence';
import { API_CONFIG } from '../api.tokens.js';
import { BlobKeeper } from '../uploads/blob-keeper.js';
import { FileKeeper } from './file-keeper.js';
import { FilesCommands } from './files.commands.js';
import { FilesQueries } from './files.queries.js';

/** What files are taken and read by. */
export const fileProviders: Provider[] = [
  {
    provide: FileKeeper,
    inject: [DocumentChangesStore, API_CONFIG],
    useFactory: (disposals: DocumentChangesStore, { files }: AppConfig) =>
      new FileKeeper(files && { blobs: new BlobKeeper(openBlobs(files.blobs), disposals), bounds: files }),
  },
  FilesQueries,
  FilesCommands,
];
