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
    text: 'This kind of file cannot be read: Markdown, HTML, PDF, DOCX, CSV and plain text can.',
  },
  wrong_type: {
    code: 'DOCUMENT_TYPE_UNSUPPORTED',
    text: 'The file is not what its name or media type says.',
  },
  encrypted: { code: 'DOCUMENT_ENCRYPTED', text: 'The file is encrypted: give it without a password.' },
  damaged: { code: 'DOCUMENT_DAMAGED', text: 'The file is damaged: it breaks the rules of its format.' },
  encoding: {
    code: 'DOCUMENT_DAMAGED',
    text: 'The text is in no known encoding.',
  },
  too_complex: {
    code: 'DOCUMENT_TOO_COMPLEX',
    text: 'Reading the file takes more memory than is allowed, or it is nested too deeply.',
  },
  too_slow: { code: 'DOCUMENT_TOO_COMPLEX', text: 'Reading the file takes longer than is allowed.' },
  too_long: { code: 'DOCUMENT_TOO_COMPLEX', text: 'The file has more text than is allowed.' },
  no_text: {
    code: 'DOCUMENT_WITHOUT_TEXT',
    text: 'Nothing in the file is text, or its fonts do not say which letters they show. Scans need text recognition first.',
  },
};

export function errorOfFault(fault: DocumentFault): IngestionError {
  return OF_FAULTS[fault];
}

export function errorOfQuota(bound: OverQuota): IngestionError {
  switch (bound) {
    case 'documents':
      return { code: 'KNOWLEDGE_QUOTA_EXCEEDED', text: 'The tenant has as many documents as it may have.' };
    case 'bytes':
      return {
        code: 'KNOWLEDGE_QUOTA_EXCEEDED',
        text: 'The documents of the tenant have as many bytes as they may have.',
      };
    case 'chunks':
      return {
        code: 'KNOWLEDGE_QUOTA_EXCEEDED',
        text: 'The documents of the tenant have as many chunks as they may have.',
      };
    default:
      return assertNever(bound);
  }
}

export const TOO_LARGE_ERROR: IngestionError = {
  code: 'DOCUMENT_TOO_LARGE',
  text: 'The document has more bytes than are allowed.',
};

export const ORIGINAL_LOST: IngestionError = {
  code: 'DOCUMENT_LOST',
  text: 'The original is not in the store of files any more, or is another one: give the document again.',
};

/** An unexpected failure, detailed in the operator's log only. */
export const UNFORESEEN: IngestionError = {
  code: 'INGESTION_FAILED',
  text: 'The document could not be taken in, by no known fault of its own. Where it has failed, give it again later.',
};

/** The ingestion waits for the file store; a document never fails with this error. */
export const STORE_AWAY: IngestionError = {
  code: 'FILE_STORE_UNAVAILABLE',
  text: 'The store of files fails, or does not answer. The document waits for it.',
};

/** Maximum consecutive crashes of workers, or of parser processes, per document. */
export const MAX_LOSSES = 3;

export const READERS_LOST: IngestionError = {
  code: 'DOCUMENT_TOO_COMPLEX',
  text: 'Whatever read the document was ended before it was done.',
};

export const WORKERS_LOST: IngestionError = {
  code: 'DOCUMENT_TOO_COMPLEX',
  text: 'Worker after worker was lost while it took the document in.',
};
