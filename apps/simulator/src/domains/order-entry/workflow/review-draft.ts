import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import { jsonOf } from './prompt-sections.js';

const draftSchema = z.object({
  order_info: z.array(
    z.object({
      item_num: z.string(),
      original_text: z.string(),
      status: z.string(),
      confidence: z.string(),
    }),
  ),
});
type DraftedLine = z.infer<typeof draftSchema>['order_info'][number];

interface Finding {
  /** Number of the line, from 1; null for the whole draft. */
  readonly line: number | null;
  readonly problem: string;
}

/** Plays `reviewerAgent` by three rules: no line is missing, no item is duplicated, no item is a guess. */
export function reviewDraft(prompt: string): JsonObject {
  const lines = draftSchema.safeParse(jsonOf(prompt, 'draft')).data?.order_info ?? [];
  const ordered = z.array(z.unknown()).safeParse(jsonOf(prompt, 'lines')).data?.length ?? lines.length;
  const missing = ordered - lines.length;
  const findings: readonly Finding[] = [
    ...(missing > 0 ? [{ line: null, problem: `Lines that are missing: ${missing}.` }] : []),
    ...lines.flatMap((line, index) => findProblems(line, index, lines)),
  ];
  return {
    message: findings.length === 0 ? 'I have nothing against it.' : `To look at: ${findings.length}.`,
    reviewerAgentOutput: {
      verdict: findings.length === 0 ? 'approved' : 'needs_person',
      findings: findings.map((finding) => ({ ...finding })),
    },
  };
}

function findProblems(
  { item_num: item, original_text: text, status, confidence }: DraftedLine,
  index: number,
  lines: readonly DraftedLine[],
): Finding[] {
  if (status !== 'success') return [];
  const earlier = lines.findIndex((other) => other.item_num === item && other.status === 'success');
  const line = index + 1;
  return [
    ...(earlier < index ? [{ line, problem: `${item} is ordered in line ${earlier + 1}, too.` }] : []),
    ...(confidence === 'high'
      ? []
      : [{ line, problem: `"${text}" was taken for ${item}, which is a guess.` }]),
  ];
}
