/** Document kinds, with one parser each. */
export const DOCUMENT_KINDS = ['markdown', 'html', 'pdf', 'docx', 'csv', 'text'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
