/** Which tests name which requirement, by number, e.g. `S1-7`. */
export function testsByRequirement(root: string): Map<string, { file: string; title: string }[]>;

/** The table as it stands in `docs/requirements.md`. */
export function requirementsDocument(root: string): string;

/** The requirement numbers that a text names, ranges included. */
export function numbersIn(text: string): string[];
