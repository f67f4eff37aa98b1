import { structuredPatch } from 'diff';
import type { AgentVersion } from '../../api/types.js';
import { isSameJson, type DraftField } from '../draft/agent-draft.js';

/** One line of a comparison of two texts. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
  /** Number of the line from 1; null where it is not in that text. */
  readonly before: number | null;
  readonly after: number | null;
}

/** Texts that differ in more lines than that are not compared: the time grows with the square of it. */
const MAX_EDITS = 1_000;

/** Changed lines with three lines around them; null where the texts differ too much to be compared. Pure. */
export function diffLines(before: string, after: string): DiffLine[] | null {
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const patch = structuredPatch('', '', withNewline(before), withNewline(after), '', '', options);
  if (patch === undefined) return null;
  return patch.hunks.flatMap((hunk, index) => {
    let [old, fresh] = [hunk.oldStart, hunk.newStart];
    const lines = hunk.lines.map((line): DiffLine => {
      const text = line.slice(1);
      if (line.startsWith('+')) return { kind: 'added', text, before: null, after: fresh++ };
      if (line.startsWith('-')) return { kind: 'removed', text, before: old++, after: null };
      return { kind: 'same', text, before: old++, after: fresh++ };
    });
    return index === 0 ? lines : [{ kind: 'gap', text: '', before: null, after: null } as const, ...lines];
  });
}

/** A text without a newline at its end is no other text. */
const withNewline = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

const FIELDS = ['name', 'usecase_type', 'llm', 'is_active', 'system_prompt', 'config', 'tools'] as const;

type Compared = Pick<AgentVersion, DraftField | 'is_active'>;

/** Fields in which two versions differ. Pure. */
export function differingFields(before: Compared, after: Compared): (typeof FIELDS)[number][] {
  return FIELDS.filter((field) => !isSameJson(before[field], after[field]));
}

/** JSON with sorted keys, so that their order makes no difference. Pure. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    2,
  );
}
