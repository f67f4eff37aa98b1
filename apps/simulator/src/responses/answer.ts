import type { z } from 'zod';
import type { Annotation } from './output-item-schema.js';
import type { incompleteReasonSchema, responseErrorCodeSchema } from './response-schema.js';

export type MessagePhase = 'commentary' | 'final_answer';

/** One thing a model says or does. `isCut` marks what a limit cut short. */
export type AnswerItem =
  | {
      readonly kind: 'reasoning';
      /** What a client may read, one part each; may be empty. */
      readonly summary: readonly string[];
      /** What only travels encrypted and is counted as reasoning tokens. */
      readonly thought: string;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
      /** What the model says it is: on the way, or the end. */
      readonly phase?: MessagePhase | undefined;
      /** What it says of places in the text. */
      readonly annotations?: readonly Annotation[] | undefined;
      readonly isCut?: boolean;
    }
  | { readonly kind: 'refusal'; readonly refusal: string; readonly isCut?: boolean }
  | {
      readonly kind: 'call';
      readonly name: string;
      /** As the model wrote it: nobody promises that it is JSON. */
      readonly arguments: string;
      /** Null: a fresh id is made. */
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

/** Token counts that a script sets itself; what it leaves out is estimated. */
export interface GivenUsage {
  readonly inputTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

export type AnswerUsage =
  | { readonly kind: 'estimated' }
  | { readonly kind: 'given'; readonly usage: GivenUsage }
  /** `response.usage` is null, is left out, or contradicts its own details. */
  | { readonly kind: 'null' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'inconsistent' };

/** How fast an answer travels. */
export interface Pace {
  /** Milliseconds before the status line. */
  readonly headersMs: number;
  /** Milliseconds before each delta. */
  readonly deltaMs: number;
  /** Characters (code points) of a delta; long texts get larger ones. */
  readonly deltaCharacters: number;
}

/** What a model decided, before it gets ids, becomes events and then bytes. */
export interface Answer {
  readonly items: readonly AnswerItem[];
  readonly end: AnswerEnd;
  readonly usage: AnswerUsage;
  readonly pace: Pace;
}

export const DEFAULT_PACE: Pace = { headersMs: 0, deltaMs: 0, deltaCharacters: 6 };

/** An answer that ends well and at once. */
export function completed(items: readonly AnswerItem[]): Answer {
  return { items, end: { status: 'completed' }, usage: { kind: 'estimated' }, pace: DEFAULT_PACE };
}

/** A call without an id of its own. */
export function callOf(name: string, argumentsText: string): Extract<AnswerItem, { kind: 'call' }> {
  return { kind: 'call', name, arguments: argumentsText, callId: null };
}

/** The text by which tokens of an item are counted. */
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
