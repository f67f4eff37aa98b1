import type { RetrievalParameters, RetrievalUsage } from '#libs/payloads';
import type { Passage, Sources } from '#libs/tooling';
import { asForeignContent } from '../foreign-mark.js';

type MergeStrategy = RetrievalParameters['chunk_merge_strategy'];

/** What was found for a question before the model was asked, and how the user message is put together of it. */
export interface PinnedRetrieval extends Sources {
  readonly usage: RetrievalUsage;
  readonly template: string;
  readonly merge: MergeStrategy;
  /** Marks where it begins and ends in the prompt, as of a tool call's outcome. */
  readonly foreign: string;
}

/** What a template has in the place of what was found. */
export function mergePassages(
  passages: readonly Pick<Passage, 'title' | 'text'>[],
  merge: MergeStrategy,
): string {
  return passages.map((passage) => mergedText(passage, merge)).join('\n');
}

/** A passage as it stands among others. */
export function mergedText({ title, text }: Pick<Passage, 'title' | 'text'>, merge: MergeStrategy): string {
  return merge === 'NEWLINE' ? text : `[${title}] ${text}`;
}

/**
 * What the model reads in the place of the question: the template with what was found, marked as the words of somebody
 * else, and with the question. Where nothing was found it reads the question alone.
 */
export function composeQuestion(question: string, retrieval: PinnedRetrieval | undefined): string {
  if (retrieval === undefined || retrieval.passages.length === 0) return question;
  const { passages, template, merge, foreign } = retrieval;
  const chunks = asForeignContent(foreign, mergePassages(passages, merge));
  // In one pass: what was found, and the question, may hold the places themselves.
  return template.replace(PLACES, (place) => (place === '{{chunks}}' ? chunks : question));
}

const PLACES = /\{\{(?:chunks|question)\}\}/g;
