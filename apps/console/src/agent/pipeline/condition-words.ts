import { isObject, type JsonObject } from '../../format/json-object.js';

const MAX_CHARACTERS = 300;

/** A condition of a step as a phrase; what is no condition is shown as its JSON. Pure. */
export function conditionWords(condition: unknown): string {
  return phraseOf(condition).slice(0, MAX_CHARACTERS);
}

function phraseOf(condition: unknown): string {
  if (condition === undefined) return '';
  if (!isObject(condition)) return JSON.stringify(condition);
  const { all, any, not } = condition;
  if (Array.isArray(all)) return all.map(partOf).join(' and ');
  if (Array.isArray(any)) return any.map(partOf).join(' or ');
  if (not !== undefined) return `not ${partOf(not)}`;
  return testOf(condition) ?? JSON.stringify(condition);
}

/** A part of a longer condition: in brackets where it has parts itself. */
function partOf(condition: unknown): string {
  const isLong = isObject(condition) && (Array.isArray(condition['all']) || Array.isArray(condition['any']));
  return isLong ? `(${phraseOf(condition)})` : phraseOf(condition);
}

function testOf(test: JsonObject): string | null {
  const { value, exists, one_of: oneOf } = test;
  if (typeof value !== 'string') return null;
  if (typeof exists === 'boolean') return `${value} ${exists ? 'is there' : 'is missing'}`;
  if (Array.isArray(oneOf))
    return `${value} is one of ${oneOf.map((each) => JSON.stringify(each)).join(', ')}`;
  const [name, word] = COMPARISONS.find(([key]) => test[key] !== undefined) ?? [];
  return name === undefined ? null : `${value} ${word} ${JSON.stringify(test[name])}`;
}

const COMPARISONS = [
  ['equals', 'is'],
  ['at_least', '≥'],
  ['at_most', '≤'],
  ['contains', 'contains'],
] as const;
