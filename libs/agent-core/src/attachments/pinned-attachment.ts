import type { PromptMedia, ReadingWay } from '#libs/payloads';
import { asForeignContent } from '../foreign-mark.js';

/** An attached file as the model reads it, pinned by hash so that every attempt sends the same content. */
export interface PinnedAttachment {
  readonly fileId: string;
  /** SHA-256 of the file's bytes, in hexadecimal. */
  readonly hash: string;
  readonly as: ReadingWay;
  /** SHA-256 of the extracted text, in hexadecimal; absent if the file itself is sent. */
  readonly textHash?: string;
}

/** The content of the attached files in the prompt. */
export interface AttachedContent {
  readonly media: readonly PromptMedia[];
  readonly texts: readonly AttachedText[];
}

/** The text extracted from an attached file. */
export interface AttachedText {
  /** File name. */
  readonly name: string;
  readonly text: string;
  /** Delimits the text in the prompt, as for the output of a tool: see `foreignMark`. */
  readonly foreign: string;
}

/** Appends the texts of the attached files to a question, each delimited as foreign content. */
export function withAttachedTexts(question: string, texts: readonly AttachedText[]): string {
  const attached = texts.map(
    ({ name, text, foreign }) => `Attached file ${JSON.stringify(name)}:\n${asForeignContent(foreign, text)}`,
  );
  return [question, ...attached].join('\n\n');
}
