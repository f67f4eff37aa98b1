import { fileURLToPath } from 'node:url';
import type { ProjectProblem } from './project-part.js';

/**
 * Describes an error that a file threw while it was imported, at the first line of the project in its stack.
 * @param folder absolute path of the project
 * @param file path of the imported file below it
 */
export function describeLoadFailure(folder: string, file: string, thrown: unknown): ProjectProblem {
  if (!(thrown instanceof Error)) return { place: file, reason: `it threw ${typeof thrown}, not an Error` };
  const place = placeIn(folder, thrown.stack ?? '') ?? file;
  const reason = firstLine(thrown);
  return place.replace(/:\d+$/, '') === file
    ? { place, reason }
    : { place: file, reason: `${place}: ${reason}` };
}

/** Frames are `at f (file:///a/b.ts:1:2)`; a syntax error begins with `file:///a/b.ts:1` or `/a/b.ts:1`. */
const FRAME = /(?<path>(?:file:\/\/)?\/[^\s()]+?):(?<line>\d+)(?::\d+)?\)?$/;

function placeIn(folder: string, stack: string): string | null {
  for (const line of stack.split('\n')) {
    const found = FRAME.exec(line.trim())?.groups;
    if (found?.['path'] === undefined) continue;
    const path = pathOf(found['path']);
    if (path?.startsWith(`${folder}/`) === true && !path.includes('/node_modules/'))
      return `${path.slice(folder.length + 1)}:${found['line']}`;
  }
  return null;
}

function pathOf(address: string): string | null {
  try {
    return address.startsWith('file:') ? fileURLToPath(address) : address;
  } catch {
    return null;
  }
}

function firstLine({ name, message }: Error): string {
  return `${name}: ${message.split('\n', 1)[0]}`;
}
