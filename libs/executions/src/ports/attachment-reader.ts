import type { AttachedFile } from '#libs/tooling';

/** Text of a file, possibly truncated. */
export interface FileText {
  readonly text: string;
  /** True if the text was truncated. */
  readonly isCut: boolean;
}

/**
 * Reads the files attached to requests. Both methods throw an `AppError`: `ATTACHMENT_LOST` if the bytes are missing or
 * changed, or the retryable `ATTACHMENTS_UNAVAILABLE` (kind `unavailable`) for transient failures.
 */
export abstract class AttachmentReader {
  abstract readBytes(tenantId: string, file: AttachedFile, signal: AbortSignal): Promise<Buffer>;

  /** Deterministic for the same bytes within a release. Throws `ATTACHMENT_UNREADABLE` if the file has no readable text. */
  abstract readText(
    tenantId: string,
    file: AttachedFile,
    mostChars: number,
    signal: AbortSignal,
  ): Promise<FileText>;
}
