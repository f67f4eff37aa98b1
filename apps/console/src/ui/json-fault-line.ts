import { jsonLanguage } from '@codemirror/lang-json';

/** Line of the first fault of a JSON text, from 1; null where only its value is wrong. Pure. */
export function faultLineOf(text: string): number | null {
  let position: number | null = null;
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) position ??= from;
    },
  });
  return position === null ? null : text.slice(0, position).trimEnd().split('\n').length;
}
