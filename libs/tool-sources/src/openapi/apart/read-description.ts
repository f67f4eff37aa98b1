import type { FoundSize } from '../assert-bounded.js';
import { checkDocument, type DocumentCheck } from '../check-document.js';
import { DocumentFault } from '../document-fault.js';
import type { DescriptionText } from '../parse-description.js';
import { yamlToJson } from '../yaml/yaml-to-json.js';

/** A description as it is stored, with its validation result. */
export interface ReadDescription {
  /** Files as JSON, by name; unchanged if unreadable. */
  readonly document: DescriptionText;
  readonly check: DocumentCheck;
}

/** Maximum characters of all files together as JSON. */
const MAX_CHARS = 2 ** 24;

/** Converts YAML to JSON and validates the description. JSON stays unchanged. Never throws for invalid text. */
export function readDescription(document: DescriptionText): ReadDescription {
  try {
    const json = asJson(document);
    return { document: json, check: checkDocument(json) };
  } catch (error) {
    if (error instanceof DocumentFault) return { document, check: unusable(error.message) };
    throw error;
  }
}

export function unusable(problem: string): DocumentCheck {
  return { problems: [problem], warnings: [], operations: 0 };
}

function asJson(document: DescriptionText): DescriptionText {
  const found: FoundSize = { values: 0, chars: 0 };
  let left = MAX_CHARS;
  const convert = (text: string, file: string): string => {
    const json = isJson(text) ? text : yamlToJson(text, file, found);
    left -= json.length;
    if (left < 0)
      throw new DocumentFault(
        `${file}#`,
        `must have at most ${MAX_CHARS} characters as JSON, all files together`,
      );
    return json;
  };
  if (typeof document === 'string') return convert(document, '');
  const files = Object.entries(document.files).map(([name, text]) => [name, convert(text, name)] as const);
  return { ...document, files: Object.fromEntries(files) };
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
