import { isJsonObject, type JsonObject } from '#libs/kernel';

/** Names under which servers say what went wrong, the most exact first. */
const NAMES = [
  'message',
  'msg',
  'detail',
  'error',
  'errors',
  'error_description',
  'error_message',
  'error_msg',
  'errmsg',
  'description',
  'reason',
  'title',
] as const;
/** How deep the words may be nested, and how many of a list are read. */
const MAX_DEPTH = 5;
const MAX_LISTED = 5;
/** Characters of a page in which its title is looked for. */
const MAX_PAGE_CHARACTERS = 10_000;

/**
 * The words in which a server says what went wrong, in any shape of its answer: an error object, a text, `detail` as a
 * text or a list (FastAPI), lists, nested objects, an HTML page, of which the title counts. `''` where it says nothing.
 */
export function errorWords(said: unknown, depth = 0): string {
  if (typeof said === 'string') return isPage(said) ? titleOf(said) : said.trim();
  if (depth >= MAX_DEPTH) return '';
  if (Array.isArray(said)) {
    const listed = said.slice(0, MAX_LISTED).map((one) => errorWords(one, depth + 1));
    return listed.filter((words) => words !== '').join('; ');
  }
  if (!isJsonObject(said)) return '';
  for (const name of NAMES) {
    const words = errorWords(said[name], depth + 1);
    if (words !== '') return withPlace(words, said['loc']);
  }
  return '';
}

/**
 * The body of a refusal as an error object with `message`, `code`, `type` and `param`, as OpenAI has it.
 * @param text the body as it came
 */
export function readErrorBody(text: string): JsonObject {
  const body = parse(text);
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const outer = isJsonObject(first) ? first : {};
  const nested = [outer['error'], outer['detail']].find(isJsonObject) ?? {};
  const message = errorWords(body);
  return { ...outer, ...nested, ...(message !== '' && { message }) };
}

/** Whether the text is an HTML page rather than an answer of a model server. */
export function isPage(text: string): boolean {
  return /^\s*(?:<!doctype html|<html|<head|<body|<title|<h1)/i.test(text.slice(0, 500));
}

/** The title of a page, else its first heading. */
function titleOf(page: string): string {
  const start = page.slice(0, MAX_PAGE_CHARACTERS);
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(start) ?? /<h1[^>]*>([^<]*)/i.exec(start) ?? [];
  return title.replaceAll(/\s+/g, ' ').trim();
}

/** FastAPI says in `loc` which part of the request is meant. */
function withPlace(words: string, place: unknown): string {
  if (!Array.isArray(place) || place.length === 0) return words;
  const steps = place.filter((step) => typeof step === 'string' || typeof step === 'number');
  return `${words} (${steps.join('.')})`;
}

/** As JSON where it is such, else the text itself. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
