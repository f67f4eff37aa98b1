import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { FileStore, type FileView, type Versioned, type ExpectedVersions } from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { byId, toPage, type Page } from '../http/page.js';
import { idempotencyKeyReused } from '../idempotency/idempotency.errors.js';
import { otherVersion } from '../http/entity-tag.js';
import { requestKeyOf, type MadeOnce } from '../uploads/repeatable-upload.js';
import { takeUpload } from '../uploads/take-upload.js';
import { FileKeeper } from './file-keeper.js';
import { type FileListQuery, UPLOAD } from './files.dto.js';
import { fileNotFound, badExpiry, overFileQuota } from './files.errors.js';

/** A file that can be read once. */
interface OpenFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly file: FileView;
}

/** Manages the files of a tenant. */
@Injectable()
export class FilesService {
  constructor(
    private readonly files: FileStore,
    private readonly keeper: FileKeeper,
  ) {}

  /** Sorted by ascending id, so oldest first. */
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

  /**
   * Stores the file, or returns the one that an earlier request stored under the same key. Throws `VALIDATION_ERROR`,
   * `BODY_TOO_LARGE`, `FILE_QUOTA_EXCEEDED`, `IDEMPOTENCY_KEY_REUSED`, `FILES_NOT_CONFIGURED`, and then keeps nothing.
   */
  async upload(tenantId: string, request: IncomingMessage, key: string | null): Promise<MadeOnce<FileView>> {
    const target = this.keeper.targetOf(tenantId);
    const { fields, file } = await takeUpload(request, UPLOAD, target);
    const { expires_at = null } = fields;
    const said = { name: file.name, media_type: file.mediaType, expires_at };
    const idempotency = requestKeyOf(key, 'POST /api/files/', said, file.original);
    const expiresAt = expires_at === null ? null : new Date(expires_at);
    const creation = await this.files.create(
      { id: uuidv7(), tenantId, ...file, expiresAt, idempotency },
      this.keeper.bounds,
    );
    if (creation.kind === 'created') return { ...creation, isReplayed: false };
    await this.keeper.drop(file.original);
    switch (creation.kind) {
      case 'repeated':
        return { ...(await this.find(tenantId, creation.id)), isReplayed: true };
      case 'key_reused':
        throw idempotencyKeyReused();
      case 'over_quota':
        throw overFileQuota(creation.bound);
      case 'bad_expiry':
        throw badExpiry(creation.latest);
      default:
        return assertNever(creation);
    }
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async delete(tenantId: string, id: string, expected: ExpectedVersions): Promise<void> {
    const deletion = await this.files.delete(tenantId, id, expected);
    if (deletion === 'not_found') throw fileNotFound();
    if (deletion === 'other_version') throw otherVersion();
  }
}
