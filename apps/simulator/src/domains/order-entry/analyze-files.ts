import type { AnswerItem } from '../../responses/answer.js';
import { readOrder } from './read-order.js';
import { filesOf } from './workflow/prompt-sections.js';

/** Plays `analyzeAgent`: names the type of each attached file, with a citation; null without files. */
export function analyzeFiles(message: string): AnswerItem | null {
  const files = filesOf(message);
  if (files.length === 0) return null;
  const said = files.map(({ name, text }) => {
    const { length } = readOrder(text).lines;
    const lines = length === 1 ? '1 order line' : `${length} order lines`;
    return `${name}: ${length === 0 ? 'a text without order lines' : lines}.`;
  });
  const annotations = files.map(({ name: filename }, index) => ({
    type: 'file_citation' as const,
    file_id: `file-${index + 1}`,
    filename,
    index: said.slice(0, index + 1).join('\n').length,
  }));
  return { kind: 'text', text: said.join('\n'), annotations };
}
