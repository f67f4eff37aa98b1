import { DEFAULT_PACE, type Answer, type AnswerItem } from '../../responses/answer.js';
import type { ScriptedAnswer } from './script-schema.js';

/** Converts a scripted answer, with defaults for omitted fields. */
export function playAnswer(scripted: ScriptedAnswer): Answer {
  const { latency, usage } = scripted;
  return {
    items: scripted.output === undefined ? shortForm(scripted) : scripted.output.map(toItem),
    end: scripted.end ?? { status: 'completed' },
    usage:
      usage === undefined
        ? { kind: 'estimated' }
        : usage === null
          ? { kind: 'null' }
          : {
              kind: 'given',
              usage: {
                inputTokens: usage.input_tokens,
                cachedTokens: usage.cached_tokens,
                outputTokens: usage.output_tokens,
                reasoningTokens: usage.reasoning_tokens,
              },
            },
    pace: {
      headersMs: latency?.headers_ms ?? DEFAULT_PACE.headersMs,
      deltaMs: latency?.delta_ms ?? DEFAULT_PACE.deltaMs,
      deltaCharacters: scripted.delta_characters ?? DEFAULT_PACE.deltaCharacters,
    },
  };
}

function shortForm(scripted: ScriptedAnswer): readonly AnswerItem[] {
  const summary = asList(scripted.reasoning);
  return [
    ...(summary.length > 0 ? [toItem({ type: 'reasoning', summary: [...summary] })] : []),
    ...asList(scripted.text).map((text) => toItem({ type: 'text', text })),
    ...(scripted.calls ?? []).map((call) => toItem({ type: 'call', ...call })),
  ];
}

function toItem(item: NonNullable<ScriptedAnswer['output']>[number]): AnswerItem {
  switch (item.type) {
    case 'reasoning':
      return { kind: 'reasoning', summary: item.summary, thought: item.thought ?? item.summary.join('\n') };
    case 'text':
      return { kind: 'text', text: item.text, phase: item.phase, annotations: item.annotations };
    case 'refusal':
      return { kind: 'refusal', refusal: item.refusal };
    case 'call': {
      const written = typeof item.arguments === 'string' ? item.arguments : JSON.stringify(item.arguments);
      return { kind: 'call', name: item.name, arguments: written, callId: item.call_id ?? null };
    }
  }
}

function asList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}
