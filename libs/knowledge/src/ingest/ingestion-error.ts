import { assertNever } from '#libs/kernel';
import type { OverQuota } from '../documents/quota.js';
import type { DocumentFault } from '../ports/document-parser.js';

/** Failure of a generation: a code for programs and a text for people, without exception text or secrets. */
export interface IngestionError {
  readonly code: string;
  readonly text: string;
}

const OF_FAULTS: Readonly<Record<DocumentFault, IngestionError>> = {
  empty: { code: 'DOCUMENT_EMPTY', text: 'The file is empty.' },
  unsupported_type: {
    code: 'DOCUMENT_TYPE_UNSUPPORTED',
    text: 'This type of file is not supported; use Markdown, HTML, PDF, DOCX, CSV or plain text.',
  },
  wrong_type: {
    code: 'DOCUMENT_TYPE_UNSUPPORTED',
    text: 'The content of the file does not match its name or media type.',
  },
  encrypted: { code: 'DOCUMENT_ENCRYPTED', text: 'The file is encrypted: send it without a password.' },
  damaged: { code: 'DOCUMENT_DAMAGED', text: 'The file is damaged: it violates its format.' },
  encoding: {
    code: 'DOCUMENT_DAMAGED',
    text: 'The encoding of the text is unknown.',
  },
  too_complex: {
    code: 'DOCUMENT_TOO_COMPLEX',
    text: 'Parsing the file exceeds the memory limit, or it is nested too deeply.',
  },
  too_slow: { code: 'DOCUMENT_TOO_COMPLEX', text: 'Parsing the file exceeds the time limit.' },
  too_long: { code: 'DOCUMENT_TOO_COMPLEX', text: 'The file exceeds the limit of text.' },
  no_text: {
    code: 'DOCUMENT_WITHOUT_TEXT',
    text: 'The file contains no text, or its fonts have no mapping to characters. Run OCR on scans first.',
  },
};

export function errorOfFault(fault: DocumentFault): IngestionError {
  return OF_FAULTS[fault];
}

export function errorOfQuota(bound: OverQuota): IngestionError {
  switch (bound) {
    case 'documents':
      return { code: 'KNOWLEDGE_QUOTA_EXCEEDED', text: 'The tenant has reached its maximum of documents.' };
    case 'bytes':
      return {
        code: 'KNOWLEDGE_QUOTA_EXCEEDED',
        text: 'The tenant has reached its maximum of document bytes.',
      };
    case 'chunks':
      return {
        code: 'KNOWLEDGE_QUOTA_EXCEEDED',
        text: 'The tenant has reached its maximum of chunks.',
      };
    default:
      return assertNever(bound);
  }
}

export const TOO_LARGE_ERROR: IngestionError = {
  code: 'DOCUMENT_TOO_LARGE',
  text: 'The document exceeds the maximum size.',
};

export const ORIGINAL_LOST: IngestionError = {
  code: 'DOCUMENT_LOST',
  text: 'The stored original is missing or changed: replace the document.',
};

/** An unexpected failure, detailed in the operator's log only. */
export const UNFORESEEN: IngestionError = {
  code: 'INGESTION_FAILED',
  text: 'The document could not be ingested, for an unknown reason. If its state is failed, replace it later.',
};

/** The ingestion waits for the file store; a document never fails with this error. */
export const STORE_AWAY: IngestionError = {
  code: 'FILE_STORE_UNAVAILABLE',
  text: 'The store of files fails or does not answer. The document waits for it.',
};

/** Maximum consecutive crashes of workers, or of parser processes, per document. */
export const MAX_LOSSES = 3;

export const READERS_LOST: IngestionError = {
  code: 'DOCUMENT_TOO_COMPLEX',
  text: 'The parser process ended before it finished the document.',
};

export const WORKERS_LOST: IngestionError = {
  code: 'DOCUMENT_TOO_COMPLEX',
  text: 'Several workers in a row were lost while they ingested the document.',
};
