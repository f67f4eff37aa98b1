import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { FileStore, type ExpectedVersions, type FileView, type Versioned } from '#libs/persistence';
import { v7 as uuidv7 } from 'uuid';
import { otherVersion } from '../http/entity-tag.js';
import { takeUpload } from '../uploads/take-upload.js';
import { FileKeeper } from './file-keeper.js';
import { UPLOAD } from './files.dto.js';
import { badExpiry, fileNotFound, overFileQuota } from './files.faults.js';

/** Taking files of a tenant, and deleting them. */
@Injectable()
export class FilesCommands {
  constructor(
    private readonly files: FileStore,
    private readonly keeper: FileKeeper,
  ) {}

  /** Throws `VALIDATION_ERROR`, `BODY_TOO_LARGE`, `FILE_QUOTA_EXCEEDED`, `FILES_NOT_CONFIGURED`; nothing is kept then. */
  async upload(tenantId: string, request: IncomingMessage): Promise<Versioned<FileView>> {
    const target = this.keeper.targetOf(tenantId);
    const { fields, file } = await takeUpload(request, UPLOAD, target);
    const expiresAt = fields.expires_at === undefined ? null : new Date(fields.expires_at);
    const creation = await this.files.create(
      { id: uuidv7(), tenantId, ...file, expiresAt },
      this.keeper.bounds,
    );
    if (creation.kind === 'created') return creation;
    await this.keeper.drop(file.original);
    throw creation.kind === 'over_quota' ? overFileQuota(creation.bound) : badExpiry(creation.latest);
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async delete(tenantId: string, id: string, expected: ExpectedVersions): Promise<void> {
    const deletion = await this.files.delete(tenantId, id, expected);
    if (deletion === 'not_found') throw fileNotFound();
    if (deletion === 'other_version') throw otherVersion();
  }
}
