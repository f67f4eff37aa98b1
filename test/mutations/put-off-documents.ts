import type { Mutant } from './mutant.js';

const FETCHER = 'apps/worker/src/ingest/url-fetcher.ts';
const VIEW = 'libs/persistence/src/knowledge/document-view.store.ts';
const STEPS = 'libs/knowledge/src/ingest/ingestion-steps.ts';
const STORE_SQL = 'libs/persistence/src/knowledge/ingestion-sql.ts';
const FOLLOWER = 'apps/api/src/documents/document-follower.ts';

type Mistake = readonly [file: string, find: string, replace: string, spec: string, why: string];
const MISTAKES: readonly Mistake[] = [
  [
    FETCHER,
    "reason === 'unknown_host'",
    "reason === 'unresolved_host'",
    'test/integration/worker/documents/url-fetcher.spec.ts',
    'a document waits for twenty minutes for a host that does not exist',
  ],
  [
    VIEW,
    'error_code: isFailed ? given.errorCode : null',
    'error_code: given.errorCode',
    'test/integration/api/documents/documents.spec.ts',
    'a document that is tried again seems to have failed',
  ],
  [
    STEPS,
    'await this.putOff(SURPRISED_MS, { ...STORE_AWAY, isTry: false });',
    'await this.putOff(SURPRISED_MS);',
    'libs/knowledge/src/ingest/passing-failures.spec.ts',
    'nobody learns that a document waits for the store of files',
  ],
  [
    STORE_SQL,
    'error_code = CASE WHEN cardinality($3::bytea[]) = 0 THEN error_code END,',
    'error_code = ingestion.error_code,',
    'test/contract/knowledge/knowledge.spec.ts',
    'a document goes on saying what is over',
  ],
  [
    FOLLOWER,
    "last_error === null ? ''",
    "last_error !== undefined ? ''",
    'apps/api/src/documents/document-follower.spec.ts',
    'who follows a document does not hear what it waits for',
  ],
];

/** Delayed ingestions: the backoff, and the reason that clients see. */
export const PUT_OFF_MUTANTS: readonly Mutant[] = MISTAKES.map(([file, find, replace, spec, why]) => ({
  ...{ row: 'documents', file, find, replace, spec, why },
}));
