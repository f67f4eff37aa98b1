import { readFileSync, readdirSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';

/**
 * The order text to submit, and the one that would be next.
 * @param {string} root
 * @param {string | null} chosen path of a file, from the folder that the user is in
 * @returns {{name: string, text: string, next: string}} names are paths from the root
 * @throws {Error} when there is no such file or nothing in it
 */
export function readOrderText(root, chosen) {
  const folder = join('examples', 'orders');
  const examples = readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.txt'))
    .toSorted()
    .map((name) => join(folder, name));
  const [first] = examples;
  if (chosen === null && first === undefined) throw new Error(`${folder} holds no order text (.txt).`);
  const name = chosen === null ? String(first) : shortest(root, absolute(chosen));
  const text = readText(root, name);
  const next = examples[examples.indexOf(name) + 1] ?? first ?? name;
  return { name, text, next };
}

/** Paths below the root are shown from there. @param {string} root @param {string} path */
function shortest(root, path) {
  const below = relative(root, path);
  return below.startsWith('..') ? path : below;
}

/** @param {string} path */
function absolute(path) {
  // npm run changes into the repository; INIT_CWD is where the user typed it.
  return isAbsolute(path) ? path : join(process.env.INIT_CWD ?? process.cwd(), path);
}

/** @param {string} root @param {string} name */
function readText(root, name) {
  let text;
  try {
    text = readFileSync(resolve(root, name), 'utf8').trim();
  } catch (cause) {
    throw new Error(`The order text ${name} cannot be read.`, { cause });
  }
  if (text === '') throw new Error(`The order text ${name} is empty.`);
  return text;
}
