import { assertBounded } from '../assert-bounded.js';
import { readYaml } from './read-yaml.js';

/** The JSON that a text of YAML says, aliases written out. Throws a `DocumentFault`. */
export function yamlToJson(text: string, file: string): string {
  const value = readYaml(text, file);
  assertBounded(value, file, { values: 0, chars: 0 });
  return JSON.stringify(value);
}
