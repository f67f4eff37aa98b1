/** What a document can be: each has a parser of its own. */
export const DOCUMENT_KINDS = ['markdown', 'html', 'pdf', 'docx', 'csv', 'text'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
