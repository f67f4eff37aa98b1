import fc from 'fast-check';
import { hostileJson, hostileKey } from './hostile-values.js';

interface Mutation {
  readonly kind: 'replace' | 'add' | 'drop' | 'double';
  /** Index of the mutated value, in the order in which the values are written, modulo their number. */
  readonly place: number;
  readonly key: string;
  /** JSON text, also of values that JavaScript cannot hold: numbers that are too large, repeated keys. */
  readonly json: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('replace', 'add', 'drop', 'double'),
  place: fc.nat(1_000),
  key: hostileKey,
  json: hostileJson,
});

/** JSON text of a body with one mutation, which may be invalid or merely unusual. */
export function mutatedJson(body: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const prefix = fc.oneof(
    { weight: 20, arbitrary: fc.constant('') },
    fc.constantFrom('\ufeff', ' \n', '\u0000'),
  );
  return fc
    .tuple(body, mutation, prefix)
    .map(([value, change, before]) => Buffer.from(before + mutate(value, change)));
}

function mutate(body: unknown, { kind, place, key, json }: Mutation): string {
  let valuesBefore = place % countValues(body);
  const write = (value: unknown): string => {
    const isHere = valuesBefore === 0;
    valuesBefore -= 1;
    if (isHere && kind === 'replace') return json;
    if (Array.isArray(value)) return `[${[...value.map(write), ...(isHere ? [json] : [])].join(',')}]`;
    if (typeof value !== 'object' || value === null) return isHere ? json : JSON.stringify(value);
    const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${write(item)}`);
    return `{${(isHere ? changeMembers(members, kind, `${JSON.stringify(key)}:${json}`) : members).join(',')}}`;
  };
  return write(body);
}

function changeMembers(members: readonly string[], kind: Mutation['kind'], added: string): readonly string[] {
  switch (kind) {
    case 'add':
      return [...members, added];
    case 'drop':
      return members.slice(1);
    default:
      return [...members, ...members];
  }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((count, item) => count + countValues(item), 1);
}
