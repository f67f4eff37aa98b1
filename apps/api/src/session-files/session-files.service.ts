import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { assertNever } from '#libs/kernel';
import { SessionStore, WorkspaceFileStore, type WorkspaceFileView } from '#libs/persistence';
import { WORKSPACE_LIMITS, type ExpectedFile, type WorkspaceOwner } from '#libs/tooling';
import { API_CONFIG } from '../api.tokens.js';
import { sessionNotFound } from '../executions/executions.errors.js';
import { fileNotFound } from '../files/files.errors.js';
import type { FormFile } from '../http/multipart/form-shape.js';
import { readForm } from '../http/multipart/read-form.js';
import { toPage, type Page } from '../http/page.js';
import {
  fileTooLong,
  notAsExpected,
  overWorkspaceLimit,
  pathTaken,
  tenantIsFull,
} from './session-files.errors.js';
import type { SessionFileListQuery } from './session-files.dto.js';

/** A written file. */
export interface PutFile {
  readonly file: WorkspaceFileView;
  readonly isNew: boolean;
}

const FORM = { fields: {}, file: { name: 'file', mostBytes: WORKSPACE_LIMITS.fileBytes } };

/** Files in the workspaces of sessions. Each method throws `NOT_FOUND` for a session of another tenant. */
@Injectable()
export class SessionFilesService {
  constructor(
    private readonly sessions: SessionStore,
    private readonly files: WorkspaceFileStore,
    @Inject(API_CONFIG) private readonly config: AppConfig,
  ) {}

  /** Sorted by path. */
  async list(
    owner: WorkspaceOwner,
    { cursor: afterPath, limit }: SessionFileListQuery,
  ): Promise<Page<WorkspaceFileView>> {
    if (!(await this.sessions.exists(owner.tenantId, owner.sessionId))) throw sessionNotFound();
    return toPage(await this.files.listPage(owner, { afterPath, limit }), ({ path }) => path);
  }

  async read(owner: WorkspaceOwner, path: string): Promise<Buffer> {
    const bytes = await this.files.read(owner, path);
    if (bytes === null) throw fileNotFound();
    return bytes;
  }

  /**
   * Throws `VALIDATION_ERROR`, `BODY_TOO_LARGE`, `FILE_QUOTA_EXCEEDED`, `VERSION_CHANGED`, and then writes nothing.
   *
   * @param expected what must be there for it
   */
  async put(
    owner: WorkspaceOwner,
    path: string,
    request: IncomingMessage,
    expected: ExpectedFile,
  ): Promise<PutFile> {
    const { file: bytes } = await readForm(request, FORM, readWhole);
    const writing = await this.files.put(owner, { path, bytes, callKey: null, expected });
    switch (writing.kind) {
      case 'no_session':
        throw sessionNotFound();
      case 'path_taken':
        throw pathTaken();
      case 'changed':
        throw notAsExpected(expected);
      case 'tenant_full':
        throw tenantIsFull(this.config.mostWorkspaceBytes);
      case 'too_many_files':
      case 'too_many_bytes':
        throw bytes.byteLength > WORKSPACE_LIMITS.fileBytes
          ? fileTooLong()
          : overWorkspaceLimit(writing.kind);
      case 'created':
      case 'replaced':
        return { file: writing.file, isNew: writing.kind === 'created' };
      case 'repeated':
        throw new Error('a write that belongs to no call of a tool was repeated');
      default:
        return assertNever(writing);
    }
  }

  async delete(owner: WorkspaceOwner, path: string, expected: ExpectedFile): Promise<void> {
    const deletion = await this.files.delete(owner, path, expected);
    if (deletion === 'changed') throw notAsExpected(expected);
    if (deletion === 'not_found') throw fileNotFound();
  }
}

async function readWhole({ bytes }: FormFile): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}
