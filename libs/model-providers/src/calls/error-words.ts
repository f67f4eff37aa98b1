import { isJsonObject, type JsonObject } from '#libs/kernel';

/** Keys under which servers put error messages, most specific first. */
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
/** Maximum nesting of messages, and maximum messages read of a list. */
const MAX_DEPTH = 5;
const MAX_LISTED = 5;
/** Maximum characters of a page searched for its title. */
const MAX_PAGE_CHARACTERS = 10_000;

/**
 * Extracts the error message from an error body of any shape: an error object, a text, `detail` as text or list
 * (FastAPI), lists, nested objects, or an HTML page's title. `''` if there is none.
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

/** Header in which Amazon's services name the type of an error, before the first colon. */
const TYPE_HEADER = 'x-amzn-errortype';

/**
 * Converts an error body to OpenAI's format with `message`, `code`, `type` and `param`.
 *
 * @param text the raw body
 * @param headers headers of the answer, which may name the type of the error
 */
export function readErrorBody(text: string, headers?: Headers): JsonObject {
  const body = parse(text);
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const outer = isJsonObject(first) ? first : {};
  const nested = [outer['error'], outer['detail']].find(isJsonObject) ?? {};
  const message = errorWords(body);
  const type = headers?.get(TYPE_HEADER)?.split(':')[0];
  return { ...(type && { type }), ...outer, ...nested, ...(message !== '' && { message }) };
}

/** True if the text is an HTML page, not an answer of a model server. */
export function isPage(text: string): boolean {
  return /^\s*(?:<!doctype html|<html|<head|<body|<title|<h1)/i.test(text.slice(0, 500));
}

/** The title of a page, else its first heading. */
function titleOf(page: string): string {
  const start = page.slice(0, MAX_PAGE_CHARACTERS);
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(start) ?? /<h1[^>]*>([^<]*)/i.exec(start) ?? [];
  return title.replaceAll(/\s+/g, ' ').trim();
}

/** Adds the part of the request that FastAPI names in `loc`. */
function withPlace(words: string, place: unknown): string {
  if (!Array.isArray(place) || place.length === 0) return words;
  const steps = place.filter((step) => typeof step === 'string' || typeof step === 'number');
  return `${words} (${steps.join('.')})`;
}

/** The parsed JSON, else the text itself. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
