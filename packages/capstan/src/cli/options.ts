import { InvalidArgumentError, Option } from 'commander';

/** How many items a list shows. */
export function limitOption(byDefault = 20): Option {
  return new Option('-n, --limit <number>', 'how many, at most').argParser(numberOf).default(byDefault);
}

function numberOf(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('It is a whole number from 1.');
}

/** `key=value` texts as fields. */
export function fieldsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new InvalidArgumentError(`"${pair}" is no key=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
