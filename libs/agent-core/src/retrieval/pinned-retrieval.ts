import type { RetrievalParameters, RetrievalUsage } from '#libs/payloads';
import type { Passage, Sources } from '#libs/tooling';
import { asForeignContent } from '../foreign-mark.js';

type MergeStrategy = RetrievalParameters['chunk_merge_strategy'];

/** The passages retrieved for a question, and the template of the user message. */
export interface PinnedRetrieval extends Sources {
  readonly usage: RetrievalUsage;
  readonly template: string;
  readonly merge: MergeStrategy;
  /** Delimits the passages in the prompt, as for the output of a tool. */
  readonly foreign: string;
}

/** The text that replaces `{{chunks}}` in a template. */
export function mergePassages(
  passages: readonly Pick<Passage, 'title' | 'text'>[],
  merge: MergeStrategy,
): string {
  return passages.map((passage) => mergedText(passage, merge)).join('\n');
}

/** One passage as it appears in the merged text. */
export function mergedText({ title, text }: Pick<Passage, 'title' | 'text'>, merge: MergeStrategy): string {
  return merge === 'NEWLINE' ? text : `[${title}] ${text}`;
}

/**
 * The user message: the template filled with the question and the passages, delimited as foreign content. Without
 * passages it is the question alone.
 */
export function composeQuestion(question: string, retrieval: PinnedRetrieval | undefined): string {
  if (retrieval === undefined || retrieval.passages.length === 0) return question;
  const { passages, template, merge, foreign } = retrieval;
  const chunks = asForeignContent(foreign, mergePassages(passages, merge));
  // In one pass, since passages and question may contain placeholders themselves.
  return template.replace(PLACES, (place) => (place === '{{chunks}}' ? chunks : question));
}

const PLACES = /\{\{(?:chunks|question)\}\}/g;
