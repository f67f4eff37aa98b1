import { InvalidArgumentError, Option } from 'commander';

/** How many items a list shows. */
export function limitOption(byDefault = 20): Option {
  return new Option('-n, --limit <number>', 'how many, at most').argParser(wholeNumberOf).default(byDefault);
}

/** Throws `InvalidArgumentError`. */
export function wholeNumberOf(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('It is a whole number from 1.');
}

/** Takes `key=value` up among the fields before it. */
export function addField(
  pair: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const at = pair.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It is key=value.');
  return { ...before, [pair.slice(0, at)]: pair.slice(at + 1) };
}

/** Takes a text up among those before it. */
export function addText(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Texts with commas between. */
export function textsOf(list: string): string[] {
  return list.split(',').map((text) => text.trim());
}
