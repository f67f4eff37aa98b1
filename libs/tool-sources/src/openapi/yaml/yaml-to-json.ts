import { assertBounded, type FoundSize } from '../assert-bounded.js';
import { readYaml } from './read-yaml.js';

/**
 * The JSON that a text of YAML says, aliases written out. Throws a `DocumentFault`.
 *
 * @param found what the files before it hold: they are bounded together
 */
export function yamlToJson(text: string, file: string, found: FoundSize): string {
  const value = readYaml(text, file);
  assertBounded(value, file, found);
  return JSON.stringify(value);
}
