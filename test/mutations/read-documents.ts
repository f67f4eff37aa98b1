import type { Mutant } from './mutant.js';

/** Parsing of documents: hidden text is left out, and lost text causes a warning. */
export const READ_DOCUMENT_MUTANTS: readonly Mutant[] = [
  {
    row: 'documents',
    file: 'libs/document-parsers/src/html/visibility.ts',
    find: "if ('hidden' in attributes) return true;",
    replace: '',
    spec: 'libs/document-parsers/src/html/parse-html.spec.ts',
    why: 'text that a page hides is read',
  },
  {
    row: 'documents',
    file: 'libs/document-parsers/src/pdf/page-reader.ts',
    find: 'this.hasFailedFont ||= hasFailed;',
    replace: '',
    spec: 'libs/document-parsers/src/pdf/parse-pdf.spec.ts',
    why: 'a later page with a font that failed is not warned of',
  },
  {
    row: 'S3-7',
    file: 'libs/knowledge/src/retrieve/merge-neighbours.ts',
    find: 'if (hit.repeatedChars > 0) return hit.text.slice(hit.repeatedChars);',
    replace: '',
    spec: 'libs/knowledge/src/retrieve/merge-neighbours.spec.ts',
    why: 'neighbours that are joined say their overlap twice',
  },
];
