import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig, FilesConfig } from '#libs/config';
import { MediaTypeReader } from '#libs/document-parsers';
import type { Original } from '#libs/knowledge';
import { API_CONFIG } from '../api.tokens.js';
import type { FormFile } from '../http/multipart/form-shape.js';
import { BlobKeeper } from '../uploads/blob-keeper.js';
import { nameOf, type UploadTarget } from '../uploads/take-upload.js';
import { emptyFile, filesNotConfigured } from './files.errors.js';

/** Stored bytes of a file, with its name and detected media type. */
export interface KeptFile {
  readonly original: Original;
  readonly name: string;
  readonly mediaType: string;
}

/** Storage and limits for files. */
interface FilePlace {
  readonly blobs: BlobKeeper;
  readonly bounds: Pick<FilesConfig, 'mostFileBytes' | 'quota' | 'retentionMs'>;
}

const UNNAMED = 'Unnamed';

/** Stores the bytes of files. */
@Injectable()
export class FileKeeper {
  /** Null if the operator has configured no storage for files. */
  private readonly place: FilePlace | null;

  constructor(
    @Inject(BlobKeeper) blobs: BlobKeeper | null,
    @Inject(API_CONFIG) { files }: Pick<AppConfig, 'files'>,
  ) {
    this.place = blobs && files && { blobs, bounds: files };
  }

  /** Throws `FILES_NOT_CONFIGURED`. */
  get bounds(): FilePlace['bounds'] {
    return this.require().bounds;
  }

  /** Receives a tenant's upload. Throws `FILES_NOT_CONFIGURED`. */
  targetOf(tenantId: string): UploadTarget<KeptFile> {
    const { blobs, bounds } = this.require();
    const { mostFileBytes: mostBytes } = bounds;
    return {
      mostBytes,
      keep: async ({ bytes, announcedBytes, fileName, mediaType }, field) => {
        const reader = new MediaTypeReader();
        const coming = { tenantId, field, mostBytes, announcedBytes, bytes: watched(bytes, reader) };
        const original = await blobs.keep(coming);
        const name = nameOf(fileName)?.trim() ?? '';
        const found = reader.read({ fileName, mediaType });
        if (original.sizeBytes > 0) return { original, name: name === '' ? UNNAMED : name, mediaType: found };
        await blobs.drop(original);
        throw emptyFile();
      },
      drop: (original) => blobs.drop(original),
    };
  }

  /** The bytes of the file; null once it is deleted. */
  open(blobKey: string): Promise<AsyncIterable<Uint8Array> | null> {
    return this.require().blobs.open(blobKey);
  }

  /** Deletes bytes that no file refers to. */
  drop(original: Original): Promise<void> {
    return this.require().blobs.drop(original);
  }

  private require(): FilePlace {
    if (this.place === null) throw filesNotConfigured();
    return this.place;
  }
}

async function* watched(bytes: FormFile['bytes'], reader: MediaTypeReader): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    reader.add(part);
    yield part;
  }
}
