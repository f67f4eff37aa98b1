import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { MAX_DEPTH } from '../assert-bounded.js';
import { DocumentFault } from '../document-fault.js';

const MAX_ALIASES = 10_000;

/**
 * Parses YAML. Aliased values are shared in the result, so its expanded size must be checked before it is serialized.
 * Throws a `DocumentFault` with the line of the error.
 *
 * @param file name for the fault
 */
export function readYaml(text: string, file: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
  } catch (error) {
    throw new DocumentFault(`${file}#`, `must be JSON or YAML${whereIn(error)}`);
  }
}

function whereIn(error: unknown): string {
  if (!(error instanceof YAMLException)) return '';
  const line = error.mark === undefined ? '' : ` in line ${error.mark.line + 1}`;
  return `; the parser stopped${line}: ${error.reason}`;
}
