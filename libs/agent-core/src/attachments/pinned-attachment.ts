import type { PromptMedia, ReadingWay } from '#libs/payloads';
import { asForeignContent } from '../foreign-mark.js';

/** A file that a run is asked with, and how its model reads it: what is sent, by its hash. */
export interface PinnedAttachment {
  readonly fileId: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string;
  readonly as: ReadingWay;
  /** SHA-256 of the text that is sent, in hexadecimal; absent where the file itself is. */
  readonly textHash?: string;
}

/** What a model reads of the files that it is asked with. */
export interface AttachedContent {
  readonly media: readonly PromptMedia[];
  readonly texts: readonly AttachedText[];
}

/** What was found in a file. */
export interface AttachedText {
  /** Of the file. */
  readonly name: string;
  readonly text: string;
  /** Marks where it begins and ends in the prompt, as of a tool call's outcome. */
  readonly foreign: string;
}

/** A question with the texts of the files that came with it, each marked as the words of somebody else. */
export function withAttachedTexts(question: string, texts: readonly AttachedText[]): string {
  const attached = texts.map(
    ({ name, text, foreign }) => `Attached file ${JSON.stringify(name)}:\n${asForeignContent(foreign, text)}`,
  );
  return [question, ...attached].join('\n\n');
}
