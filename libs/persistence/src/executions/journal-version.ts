import type { JournalEntry } from '#libs/agent-core';

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
