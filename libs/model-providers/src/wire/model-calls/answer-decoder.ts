import type { ResponseEnding } from './restored-answer.js';

export type StreamedDelta =
  | {
      readonly kind: 'text' | 'thinking';
      /** Never empty. */
      readonly content: string;
    }
  /** A tool call has begun; its arguments are known at the end. */
  | { readonly kind: 'tool_call' };

/** Maximum characters of one answer, far above the length of 128,000 tokens; only a faulty server exceeds it. */
export const MAX_ANSWER_CHARACTERS = 16_777_216;

/** Decodes the events of one streamed answer of any model API. */
export interface AnswerDecoder {
  /** Ending of the call; null while content may still arrive. */
  readonly ending: ResponseEnding | null;
  /** True once the provider has marked the answer as complete; only usage may follow. */
  readonly isWhole: boolean;
  /**
   * True while the model reasons, as far as the stream shows: silence for minutes is then normal, whereas silence during
   * text means a dead connection.
   */
  readonly isReasoning: boolean;
  /** Takes the next event as parsed JSON; returns the deltas to show, in order. */
  push(event: unknown): readonly StreamedDelta[];
  /** Ends the stream; returns null for a truncated answer. */
  end(): ResponseEnding | null;
}
