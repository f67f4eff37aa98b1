import { jsonLanguage } from '@codemirror/lang-json';

/** Line of the first fault of a JSON text, from 1; null where only its value is wrong. Pure. */
export function faultLineOf(text: string): number | null {
  const faults: number[] = [];
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) faults.push(from);
    },
  });
  const [position] = faults;
  if (position === undefined) return null;
  const isAtEnd = text.slice(position).trim() === '';
  const before = text.slice(0, position);
  return (isAtEnd ? before.trimEnd() : before).split('\n').length;
}
