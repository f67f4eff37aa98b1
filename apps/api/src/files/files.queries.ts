import { Injectable } from '@nestjs/common';
import { FileStore, type FileView, type Versioned } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import { FileKeeper } from './file-keeper.js';
import type { FileListQuery } from './files.dto.js';
import { fileNotFound } from './files.faults.js';

/** A file, to be read once. */
interface OpenFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly file: FileView;
}

/** Reading the files of a tenant. */
@Injectable()
export class FilesQueries {
  constructor(
    private readonly files: FileStore,
    private readonly keeper: FileKeeper,
  ) {}

  /** By id, ascending: oldest first. */
  async list(
    tenantId: string,
    { media_type: mediaType, from, to, cursor: afterId, limit }: FileListQuery,
  ): Promise<Page<FileView>> {
    return toPage(await this.files.list(tenantId, { mediaType, from, to, afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: string): Promise<Versioned<FileView>> {
    const file = await this.files.find(tenantId, id);
    if (file === null) throw fileNotFound();
    return file;
  }

  /** Throws `NOT_FOUND`, `FILES_NOT_CONFIGURED`. */
  async open(tenantId: string, id: string): Promise<OpenFile> {
    const { view: file } = await this.find(tenantId, id);
    const blobKey = await this.files.findBlobKey(tenantId, id);
    const bytes = blobKey === null ? null : await this.keeper.open(blobKey);
    if (bytes === null) throw fileNotFound();
    return { bytes, file };
  }
}
