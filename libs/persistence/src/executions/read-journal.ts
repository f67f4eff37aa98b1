import type { JournalEntry } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { journalEntrySchema } from './journal-entry.schema.js';
import { JOURNAL_VERSION, versionOf } from './journal-version.js';

/** A fact as stored in the table. */
export interface JournalRow {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly version: number;
  readonly kind: string;
  /** `''`, or absent, at the root. */
  readonly scope?: string;
  readonly data: object;
}

/**
 * Parses the facts of one execution in order. Throws `JOURNAL_TOO_NEW` for facts of a newer release, which can continue
 * it, and `JOURNAL_DAMAGED` for an unknown kind, an invalid shape or a missing fact.
 */
export function readJournal(rows: readonly JournalRow[]): JournalEntry[] {
  const newest = Math.max(0, ...rows.map((row) => row.version));
  if (newest > JOURNAL_VERSION) throw tooNew(newest);
  return rows.map((row, index) => {
    if (row.sequence !== index + 1)
      throw damaged(index + 1, `is missing, fact ${row.sequence} is in its place`);
    return readFact(row);
  });
}

/** Parses one fact. Throws as {@link readJournal}. */
export function readFact(row: JournalRow): JournalEntry {
  if (row.version > JOURNAL_VERSION) throw tooNew(row.version);
  const parsed = journalEntrySchema.safeParse({ ...row.data, kind: row.kind, ...scopeOf(row) });
  if (!parsed.success) throw damaged(row.sequence, 'cannot be read', parsed.error);
  const entry = parsed.data as JournalEntry;
  if (versionOf(entry) > row.version) throw damaged(row.sequence, 'is newer than its version');
  return entry;
}

function scopeOf({ scope = '' }: JournalRow): { readonly scope?: string } {
  return scope === '' ? {} : { scope };
}

function tooNew(version: number): AppError {
  return new AppError({
    code: 'JOURNAL_TOO_NEW',
    kind: 'unavailable',
    message: `the journal was written by a newer release (version ${version}); this worker cannot continue it`,
    retryable: true,
  });
}

function damaged(sequence: number, what: string, cause?: unknown): AppError {
  return new AppError({
    code: 'JOURNAL_DAMAGED',
    kind: 'internal',
    message: `the journal is damaged: fact ${sequence} ${what}`,
    cause,
  });
}
