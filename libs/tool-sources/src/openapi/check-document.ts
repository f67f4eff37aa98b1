import { DocumentFault } from './document-fault.js';
import { LoadedService } from './loaded-service.js';
import type { DescriptionText } from './parse-description.js';

/** What a description is good for. */
export interface DocumentCheck {
  /** Why it is of no use, each with its place: `#/paths/~1a/get: must be an object`; none where it can be registered. */
  readonly problems: readonly string[];
  /** What is left out of it, in the same words, at most 20. */
  readonly warnings: readonly string[];
  /** How many operations can be called. */
  readonly operations: number;
}

const MOST_NAMED = 20;
/** So many operations have their schemas looked at too; those of others are when they are needed. */
const MOST_LOOKED_AT = 256;

/** Checks a description when it is written. Nothing is fetched; takes about a second for one of 13 MB. */
export function checkDocument(document: DescriptionText): DocumentCheck {
  try {
    const loaded = new LoadedService(document);
    const { operations, faults } = loaded.service;
    const unusable = operations
      .slice(0, MOST_LOOKED_AT)
      .flatMap((operation) => faultOf(() => loaded.prepare(operation)));
    const named = [...faults, ...unusable].slice(0, MOST_NAMED);
    const usable = operations.length - unusable.length;
    if (usable > 0) return { problems: [], warnings: named, operations: usable };
    const none = '#/paths: must have at least one operation that can be called';
    return { problems: named.length > 0 ? named : [none], warnings: [], operations: 0 };
  } catch (error) {
    if (error instanceof DocumentFault) return { problems: [error.message], warnings: [], operations: 0 };
    throw error;
  }
}

function faultOf(look: () => unknown): string[] {
  try {
    look();
    return [];
  } catch (error) {
    if (error instanceof DocumentFault) return [error.message];
    throw error;
  }
}
