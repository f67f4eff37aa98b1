import type { z } from 'zod';
import type { Annotation } from './output-item-schema.js';
import type { incompleteReasonSchema, responseErrorCodeSchema } from './response-schema.js';

export type MessagePhase = 'commentary' | 'final_answer';

/** One item of a model's answer. `isCut` marks an item that a limit cut short. */
export type AnswerItem =
  | {
      readonly kind: 'reasoning';
      /** Parts of the summary that clients may read; may be empty. */
      readonly summary: readonly string[];
      /** Reasoning that is sent only encrypted, and counted as reasoning tokens. */
      readonly thought: string;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Phase that the model declares for its text. */
      readonly phase?: MessagePhase | undefined;
      /** Annotations of ranges in the text. */
      readonly annotations?: readonly Annotation[] | undefined;
      readonly isCut?: boolean;
    }
  | { readonly kind: 'refusal'; readonly refusal: string; readonly isCut?: boolean }
  | {
      readonly kind: 'call';
      readonly name: string;
      /** Arguments as the model wrote them, which may be invalid JSON. */
      readonly arguments: string;
      /** Null creates a new id. */
      readonly callId: string | null;
      readonly isCut?: boolean;
    };

export type AnswerEnd =
  | { readonly status: 'completed' }
  | { readonly status: 'incomplete'; readonly reason: z.infer<typeof incompleteReasonSchema> }
  | {
      readonly status: 'failed';
      readonly code: z.infer<typeof responseErrorCodeSchema>;
      readonly message: string;
    };

/** Token counts that a script sets; missing ones are estimated. */
export interface GivenUsage {
  readonly inputTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

export type AnswerUsage =
  | { readonly kind: 'estimated' }
  | { readonly kind: 'given'; readonly usage: GivenUsage }
  /** Makes `response.usage` null, omits it, or makes it contradict its details. */
  | { readonly kind: 'null' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'inconsistent' };

/** Timing of an answer. */
export interface Pace {
  /** Delay before the status line, in ms. */
  readonly headersMs: number;
  /** Delay before each delta, in ms. */
  readonly deltaMs: number;
  /** Length of a delta in code points; long texts get longer deltas. */
  readonly deltaCharacters: number;
}

/** A model's answer, before it gets ids and becomes events. */
export interface Answer {
  readonly items: readonly AnswerItem[];
  readonly end: AnswerEnd;
  readonly usage: AnswerUsage;
  readonly pace: Pace;
}

export const DEFAULT_PACE: Pace = { headersMs: 0, deltaMs: 0, deltaCharacters: 6 };

/** An answer that completes without delays. */
export function completed(items: readonly AnswerItem[]): Answer {
  return { items, end: { status: 'completed' }, usage: { kind: 'estimated' }, pace: DEFAULT_PACE };
}

/** A call that gets a new id. */
export function callOf(name: string, argumentsText: string): Extract<AnswerItem, { kind: 'call' }> {
  return { kind: 'call', name, arguments: argumentsText, callId: null };
}

/** Text of an item by which its tokens are counted. */
export function writtenText(item: AnswerItem): string {
  switch (item.kind) {
    case 'reasoning':
      return item.thought;
    case 'text':
      return item.text;
    case 'refusal':
      return item.refusal;
    case 'call':
      return `${item.name}${item.arguments}`;
  }
}
