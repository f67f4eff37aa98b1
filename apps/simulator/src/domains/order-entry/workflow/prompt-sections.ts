/** Text between `<name>` and `</name>` in a prompt of the order entry workflow; empty without this section. */
export function sectionOf(prompt: string, name: string): string {
  const begin = prompt.indexOf(`<${name}>`);
  const end = prompt.indexOf(`</${name}>`, begin);
  return begin === -1 || end === -1 ? '' : prompt.slice(begin + name.length + 2, end).trim();
}

/** Parsed JSON of a section; undefined where it is invalid. */
export function jsonOf(prompt: string, name: string): unknown {
  try {
    return JSON.parse(sectionOf(prompt, name));
  } catch {
    return undefined;
  }
}

/** An attached file, in the form in which the service shows it to models. */
export interface ShownFile {
  readonly name: string;
  readonly text: string;
}

const ATTACHED =
  /^Attached file ("(?:[^"\\]|\\.)*"):\n\[foreign content ([0-9a-f]{24}):[^\n]*\]\n([\s\S]*?)\n\[end of foreign content \2\]$/gm;

/** Attached files in a message, in order. */
export function filesOf(message: string): readonly ShownFile[] {
  return [...message.matchAll(ATTACHED)].map(([, name = '""', , text = '']) => ({
    name: String(JSON.parse(name)),
    text,
  }));
}
