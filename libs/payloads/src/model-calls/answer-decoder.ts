import type { ResponseEnding } from './restored-answer.js';

export type StreamedDelta =
  | {
      readonly kind: 'text' | 'thinking';
      /** Never empty. */
      readonly content: string;
    }
  /** A tool call has begun; what it asks for is known at the end. */
  | { readonly kind: 'tool_call' };

/** Characters of one answer; far above what 128 000 tokens can spell, so only a broken server gets here. */
export const MAX_ANSWER_CHARACTERS = 16_777_216;

/** Decodes the events of one streamed answer, whatever API it is of. */
export interface AnswerDecoder {
  /** How the call ended; null while something may still be added to it. */
  readonly ending: ResponseEnding | null;
  /** Has the provider said that the answer is whole? Then nothing but its usage can follow. */
  readonly isWhole: boolean;
  /**
   * Is the model reasoning, as far as the stream shows? It may then be silent for minutes and still be well; once it writes,
   * silence means that the connection is dead.
   */
  readonly isReasoning: boolean;
  /** Takes the next event as parsed JSON; answers what to show of it, in order. */
  push(event: unknown): readonly StreamedDelta[];
  /** No more events will come; null for an answer that was cut off. */
  end(): ResponseEnding | null;
}
