// @ts-check
/**
 * Whose a statement is: the queue's, the service's, or the beginning or end of a transaction.
 * @typedef {'queue' | 'service' | 'transaction'} Owner
 */

const TRANSACTION = /^\s*(BEGIN|START TRANSACTION|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/iu;

/**
 * Judges statements by what they name: the queue's are those that call one of its functions or read or write one of its
 * tables. The queue finds both without naming their schema, so that no name may be the service's as well.
 * @param {{functions: readonly string[], tables: readonly string[]}} queue the names of what the queue alone has
 * @returns {(query: string) => Owner}
 */
export function classifier({ functions, tables }) {
  const call = anyOf(functions, (names) => `\\b(?:${names})\\s*\\(`);
  const table = anyOf(
    tables,
    (names) => `\\b(?:FROM|JOIN|INTO|UPDATE)\\s+(?:ONLY\\s+)?(?:\\w+\\.)?"?(?:${names})\\b`,
  );
  return (query) => {
    if (TRANSACTION.test(query)) return 'transaction';
    return call.test(query) || table.test(query) ? 'queue' : 'service';
  };
}

/** @param {readonly string[]} names @param {(names: string) => string} pattern */
function anyOf(names, pattern) {
  // Without any name nothing is to match.
  return names.length === 0 ? /(?!)/u : new RegExp(pattern(names.join('|')), 'iu');
}
