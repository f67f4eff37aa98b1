/** Control characters but line feeds and tabs; those of a terminal could change what a person sees. */
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** A text of a model, a tool or a user as a terminal may show it. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(CONTROLS, '�');
}

/** The text in one line, cut to a width. */
export function oneLine(text: string, width: number): string {
  const line = plainText(text).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** JSON in one line, which no terminal takes for commands. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
