import { assertBounded, type FoundSize } from '../assert-bounded.js';
import { readYaml } from './read-yaml.js';

/**
 * Converts YAML to JSON with aliases expanded. Throws a `DocumentFault`.
 *
 * @param found running totals of the preceding files, which share the limits
 */
export function yamlToJson(text: string, file: string, found: FoundSize): string {
  const value = readYaml(text, file);
  assertBounded(value, file, found);
  return JSON.stringify(value);
}
