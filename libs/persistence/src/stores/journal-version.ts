import type { JournalEntry } from '#libs/agent-core';

/** The newest vocabulary that this release reads and writes. */
export const JOURNAL_VERSION = 3;

/** Kinds that came after version 1, with the version that brought them. */
const NEWER_KINDS: Partial<Record<JournalEntry['kind'], number>> = {
  outcome_asked: 2,
  outcome_reported: 2,
  deadline_reached: 3,
};

/**
 * The oldest version whose readers understand the fact: an older release goes on with every journal that says nothing new
 * to it, and gives back the others.
 */
export function versionOfKind(kind: JournalEntry['kind']): number {
  return NEWER_KINDS[kind] ?? 1;
}
