import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import { FileStore, type ExpectedVersions, type FileView } from '#libs/persistence';
import { v7 as uuidv7 } from 'uuid';
import { idempotencyKeyReused } from '../idempotency/idempotency.faults.js';
import { otherVersion } from '../http/entity-tag.js';
import { requestKeyOf, type MadeOnce } from '../uploads/repeatable-upload.js';
import { takeUpload } from '../uploads/take-upload.js';
import { FileKeeper } from './file-keeper.js';
import { UPLOAD } from './files.dto.js';
import { badExpiry, fileNotFound, overFileQuota } from './files.faults.js';
import { FilesQueries } from './files.queries.js';

/** Taking files of a tenant, and deleting them. */
@Injectable()
export class FilesCommands {
  constructor(
    private readonly files: FileStore,
    private readonly keeper: FileKeeper,
    private readonly queries: FilesQueries,
  ) {}

  /**
   * The file, or the one that the same request has made before under its key. Throws `VALIDATION_ERROR`, `BODY_TOO_LARGE`,
   * `FILE_QUOTA_EXCEEDED`, `IDEMPOTENCY_KEY_REUSED`, `FILES_NOT_CONFIGURED`; nothing is kept then.
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
        return { ...(await this.queries.find(tenantId, creation.id)), isReplayed: true };
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
