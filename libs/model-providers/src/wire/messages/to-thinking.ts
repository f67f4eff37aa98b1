import type { MessagesEffort } from './messages-parameters.js';
import type { Effort, MessagesRequest, MessagesThinking } from './messages-request.js';

/** Smallest budget that the API accepts, in tokens. */
const MIN_BUDGET = 1_024;
const BUDGETS: Readonly<Record<Exclude<MessagesEffort, 'none'>, number>> = {
  minimal: MIN_BUDGET,
  low: 4_096,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 31_999,
};

export interface AskedThinking {
  readonly effort: MessagesEffort | undefined;
  /** Whether the text of the reasoning is wanted. */
  readonly isShown: boolean;
  readonly maxTokens: number;
}

/**
 * Fields for the reasoning of this model; empty if nothing is asked, so that the model's own default holds. Models up to
 * version 4.5 take a budget of tokens, later ones an effort.
 */
export function toThinking(
  model: string,
  { effort, isShown, maxTokens }: AskedThinking,
): Pick<MessagesRequest, 'thinking'> & { readonly effort?: Effort } {
  if (effort === undefined && !isShown) return {};
  if (effort === 'none') return { thinking: withoutThinking(model) };
  const display = isShown ? { display: 'summarized' as const } : {};
  if (!takesBudget(model)) {
    return {
      thinking: { type: 'adaptive', ...display },
      ...(effort !== undefined && { effort: effort === 'minimal' ? 'low' : effort }),
    };
  }
  const budget = Math.min(BUDGETS[effort ?? 'medium'], maxTokens - 1);
  return budget < MIN_BUDGET ? {} : { thinking: { type: 'enabled', budget_tokens: budget, ...display } };
}

/** Models before adaptive reasoning, in the ids of every platform. */
function takesBudget(model: string): boolean {
  const minor = /claude-(?:haiku|sonnet|opus)-4(?:-(\d))?(?=$|[-@:])/.exec(model);
  return minor === null ? /claude-(?:3|instant|v?2)/.test(model) : Number(minor[1] ?? 0) <= 5;
}

/** One family cannot switch its notes between calls off, and refuses `disabled`. */
function withoutThinking(model: string): MessagesThinking {
  return { type: /claude-sonnet-5-5/.test(model) ? 'between_tools' : 'disabled' };
}
