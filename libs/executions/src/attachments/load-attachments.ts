import { foreignMark, type AttachedContent, type PinnedAttachment } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { readingWayOf, type PromptMedia, type ReadableMedia, type ReadingWay } from '#libs/payloads';
import { readAttachments, type AttachedFile } from '#libs/tooling';
import type { AttachmentReader } from '../ports/attachment-reader.js';
import type { Claim } from '../ports/claim-store.js';

/** Maximum characters of all files of one request together; equals the maximum of its input. */
const MAX_TEXT_CHARS = 200_000;

/** Content of the attached files of a run. */
export interface LoadedAttachments extends AttachedContent {
  /** Hashes and forms that later attempts must reproduce. */
  readonly pinned: readonly PinnedAttachment[];
  /** Warnings for people about truncated or omitted files. */
  readonly warnings: readonly string[];
}

export interface AttachmentsToLoad {
  readonly claim: Pick<Claim, 'tenantId' | 'request'>;
  /** Form in which the first attempt sent the files; null in the first attempt. */
  readonly pinned: readonly PinnedAttachment[] | null;
  /** Media types that the model reads without conversion. */
  readonly native: readonly ReadableMedia[];
}

/**
 * Reads the attached files of a request in the form that the first attempt sent. Throws an `AppError`: errors of the
 * reader, or `ATTACHMENT_UNREADABLE` for a file that the model cannot read or with changed text.
 * @param sha256 in hexadecimal
 */
export async function loadAttachments(
  reader: AttachmentReader,
  { claim, pinned, native }: AttachmentsToLoad,
  sha256: (text: string) => string,
  signal: AbortSignal,
): Promise<LoadedAttachments> {
  const loading = new Loading(reader, claim.tenantId, sha256, signal);
  for (const file of readAttachments(claim.request.additional_data)) {
    const before = pinned?.find(({ fileId }) => fileId === file.id) ?? null;
    const way = before?.as ?? readingWayOf(file.media_type, native);
    if (way === null) throw unreadable(file, `the model reads no ${file.media_type}`);
    await loading.add(file, way, before);
  }
  return loading;
}

class Loading implements LoadedAttachments {
  readonly media: PromptMedia[] = [];
  readonly texts: AttachedContent['texts'][number][] = [];
  readonly pinned: PinnedAttachment[] = [];
  readonly warnings: string[] = [];
  private roomChars = MAX_TEXT_CHARS;

  constructor(
    private readonly reader: AttachmentReader,
    private readonly tenantId: string,
    private readonly sha256: (text: string) => string,
    private readonly signal: AbortSignal,
  ) {}

  async add(file: AttachedFile, as: ReadingWay, before: PinnedAttachment | null): Promise<void> {
    const pinned = { fileId: file.id, hash: file.sha256, as };
    if (as === 'text') {
      this.pinned.push({ ...pinned, textHash: await this.addText(file, before?.textHash) });
      return;
    }
    const bytes = await this.reader.readBytes(this.tenantId, file, this.signal);
    const { name, media_type: mediaType } = file;
    this.media.push({ kind: as, name, mediaType, base64: bytes.toString('base64') });
    this.pinned.push(pinned);
  }

  /** Returns the hash of the text that is sent. */
  private async addText(file: AttachedFile, hashBefore: string | undefined): Promise<string> {
    const { text, isCut } = await this.reader.readText(this.tenantId, file, this.roomChars, this.signal);
    const hash = this.sha256(text);
    if (hashBefore !== undefined && hashBefore !== hash)
      throw unreadable(file, 'its text is read otherwise than when the execution began');
    this.roomChars -= text.length;
    this.texts.push({ name: file.name, text, foreign: foreignMark(hash) });
    if (isCut) this.warnings.push(`the attached file ${JSON.stringify(file.name)} was cut: it is too long`);
    return hash;
  }
}

function unreadable({ name }: AttachedFile, reason: string): AppError {
  return new AppError({
    code: 'ATTACHMENT_UNREADABLE',
    kind: 'unprocessable',
    message: `the attached file ${JSON.stringify(name)} cannot be read: ${reason}`,
  });
}
