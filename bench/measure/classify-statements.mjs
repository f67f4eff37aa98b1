// @ts-check
/**
 * Owner of a statement: the queue, the service, or transaction control.
 * @typedef {'queue' | 'service' | 'transaction'} Owner
 */

const TRANSACTION = /^\s*(BEGIN|START TRANSACTION|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/iu;

/**
 * Classifies statements by the functions and tables they name. The queue's statements name no schema, so none of its names
 * may also be a name of the service.
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
  // Without names the pattern matches nothing.
  return names.length === 0 ? /(?!)/u : new RegExp(pattern(names.join('|')), 'iu');
}
