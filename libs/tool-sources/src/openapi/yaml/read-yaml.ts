import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { MAX_DEPTH } from '../assert-bounded.js';
import { DocumentFault } from '../document-fault.js';

const MAX_ALIASES = 10_000;

/**
 * What a text of YAML says; parts that aliases repeat are shared, so that it must be bounded before it is written. Throws a
 * `DocumentFault` with the line of what is wrong.
 *
 * @param file its name, for the fault
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
