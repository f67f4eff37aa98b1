import type { AttachedFile } from '#libs/tooling';

/** The text of a file, or its beginning. */
export interface FileText {
  readonly text: string;
  /** Whether there was more of it. */
  readonly isCut: boolean;
}

/**
 * Reads files that came with requests. Both throw an `AppError`: `ATTACHMENT_LOST` where its bytes are gone, or others than
 * they were; `ATTACHMENTS_UNAVAILABLE`, `retryable` and of kind `unavailable`, where that may pass.
 */
export abstract class AttachmentReader {
  abstract readBytes(tenantId: string, file: AttachedFile, signal: AbortSignal): Promise<Buffer>;

  /** Always the same for the same bytes, within a release. Throws `ATTACHMENT_UNREADABLE` where there is none in it. */
  abstract readText(
    tenantId: string,
    file: AttachedFile,
    mostChars: number,
    signal: AbortSignal,
  ): Promise<FileText>;
}
