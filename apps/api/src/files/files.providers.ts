import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { API_CONFIG } from '../api.tokens.js';
import { BlobKeeper } from '../uploads/blob-keeper.js';
import { FileKeeper } from './file-keeper.js';
import { FilesCommands } from './files.commands.js';
import { FilesQueries } from './files.queries.js';

/** What files are taken and read by. */
export const fileProviders: Provider[] = [
  {
    provide: FileKeeper,
    inject: [BlobKeeper, API_CONFIG],
    useFactory: (blobs: BlobKeeper | null, { files }: AppConfig) =>
      new FileKeeper(blobs && files && { blobs, bounds: files }),
  },
  FilesQueries,
  FilesCommands,
];
