import { createHash } from 'node:crypto';
import { AttachmentReader, type FileText } from '#libs/executions';
import { AppError, toStorableText } from '#libs/kernel';
import {
  errorOfFault,
  rowText,
  UnreadableDocumentError,
  type BlobStore,
  type DocumentParser,
  type ParsedBlock,
} from '#libs/knowledge';
import type { AttachedFile } from '#libs/tooling';
import type { FileStore } from '#libs/persistence';

/** Storage of files, and the parser that extracts their text. */
export interface StoredAttachmentsDependencies {
  readonly files: Pick<FileStore, 'findKeptBlobKey'>;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly parser: DocumentParser;
}

/** Reads tenants' files from the blob store; separate processes extract their text. */
export class StoredAttachments extends AttachmentReader {
  /** @param place null when no file storage is configured */
  constructor(private readonly place: StoredAttachmentsDependencies | null) {
    super();
  }

  override async readBytes(tenantId: string, file: AttachedFile, signal: AbortSignal): Promise<Buffer> {
    const { blobKey, blobs } = await this.find(tenantId, file);
    try {
      return await readWhole(await blobs.read(blobKey), file, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof AppError ? error : unavailable(error);
    }
  }

  override async readText(
    tenantId: string,
    file: AttachedFile,
    mostChars: number,
    signal: AbortSignal,
  ): Promise<FileText> {
    const { parser } = await this.find(tenantId, file);
    const bytes = await this.readBytes(tenantId, file, signal);
    const hints = { fileName: file.name, mediaType: file.media_type };
    try {
      const { blocks } = await parser.parse(once(bytes), hints, signal);
      return await joinBlocks(blocks, mostChars);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof UnreadableDocumentError ? unreadable(file, error) : unavailable(error);
    }
  }

  private async find(
    tenantId: string,
    file: AttachedFile,
  ): Promise<StoredAttachmentsDependencies & { readonly blobKey: string }> {
    const blobKey = (await this.place?.files.findKeptBlobKey(tenantId, file.id)) ?? null;
    if (this.place === null || blobKey === null) throw lost(file);
    return { ...this.place, blobKey };
  }
}

/** Reads all bytes and compares their hash with the stored one. */
async function readWhole(
  bytes: AsyncIterable<Uint8Array> | null,
  file: AttachedFile,
  signal: AbortSignal,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes ?? []) {
    signal.throwIfAborted();
    parts.push(part);
  }
  const whole = Buffer.concat(parts);
  if (createHash('sha256').update(whole).digest('hex') !== file.sha256) throw lost(file);
  return whole;
}

/** Joins blocks up to `mostChars`; leaving the loop early ends the parser. */
async function joinBlocks(
  blocks: AsyncIterable<readonly ParsedBlock[]>,
  mostChars: number,
): Promise<FileText> {
  let text = '';
  for await (const some of blocks) {
    for (const block of some) text += `${text === '' ? '' : '\n'}${textOf(block)}`;
    if (text.length > mostChars) break;
  }
  return { text: toStorableText(text.slice(0, mostChars)), isCut: text.length > mostChars };
}

function textOf(block: ParsedBlock): string {
  return block.kind === 'row' ? rowText(block.cells) : block.text;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

function lost({ name }: AttachedFile): AppError {
  return new AppError({
    code: 'ATTACHMENT_LOST',
    kind: 'not_found',
    message: `the attached file ${JSON.stringify(name)} no longer exists, or has changed`,
  });
}

function unreadable({ name }: AttachedFile, { fault }: UnreadableDocumentError): AppError {
  return new AppError({
    code: 'ATTACHMENT_UNREADABLE',
    kind: 'unprocessable',
    message: `the attached file ${JSON.stringify(name)} cannot be read: ${errorOfFault(fault).text}`,
  });
}

function unavailable(cause: unknown): AppError {
  return new AppError({
    code: 'ATTACHMENTS_UNAVAILABLE',
    kind: 'unavailable',
    message: 'the store of files cannot be reached',
    retryable: true,
    cause,
  });
}
