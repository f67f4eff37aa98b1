import type { JournalEntry } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { journalEntrySchema } from './journal-entry.schema.js';

/** The newest vocabulary that this release reads and writes. */
export const JOURNAL_VERSION = 11;

/**
 * The vocabulary of the first release. Versions 1 to 9 were written only before it: their facts are read as facts of
 * version 10, and no release writes them.
 */
const FIRST_VERSION = 10;

/** Kinds that came after the first release, with the version that brought each; a new kind is a line here. */
const LATER_KINDS: Partial<Record<JournalEntry['kind'], number>> = { model_switched: 11 };

/**
 * The oldest version that can read the fact: an older release goes on with every journal that says nothing new
 * to it, and releases the others. A field that only informs people brings no version; a field that changes a decision does,
 * by a line of its own here.
 */
export function versionOf(entry: JournalEntry): number {
  return LATER_KINDS[entry.kind] ?? FIRST_VERSION;
}

/** A fact as the table has it. */
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
 * The facts of one execution, in their order. Throws `JOURNAL_TOO_NEW` where a newer release wrote, which may go on with
 * it, and `JOURNAL_DAMAGED` where no release can: an unknown kind, a wrong shape, a fact that is missing.
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

/** One fact. Throws as {@link readJournal}. */
export function readFact(row: JournalRow): JournalEntry {
  if (row.version > JOURNAL_VERSION) throw tooNew(row.version);
  const parsed = journalEntrySchema.safeParse({ ...row.data, kind: row.kind, ...scopeOf(row) });
  if (!parsed.success) throw damaged(row.sequence, 'cannot be read', parsed.error);
  return parsed.data as JournalEntry;
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
