import { z } from 'zod';

/** Fields that say where a message belongs; everything else of it is left as it came. */
const placed = { parent_tool_use_id: z.string().nullish() };

const initMessage = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  session_id: z.string(),
});
/** One event of the Messages API. */
const streamedMessage = z.looseObject({
  type: z.literal('stream_event'),
  event: z.record(z.string(), z.unknown()),
  ...placed,
});
const assistantMessage = z.looseObject({
  type: z.literal('assistant'),
  message: z.looseObject({ content: z.array(z.record(z.string(), z.unknown())) }),
  /** Set if no model wrote the message: the engine shows a failure so. */
  error: z.string().optional(),
  ...placed,
});
const userMessage = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({ content: z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]) }),
  ...placed,
});
const tokens = z.number().int().nonnegative();
const modelUsage = z.looseObject({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadInputTokens: tokens.default(0),
  cacheCreationInputTokens: tokens.default(0),
});
const resultMessage = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  session_id: z.string().optional(),
  /** Sums over all models, sub-agents included, since the session began. */
  modelUsage: z.record(z.string(), modelUsage).optional(),
});

export type StreamedMessage = z.infer<typeof streamedMessage>;
export type AssistantMessage = z.infer<typeof assistantMessage>;
export type UserMessage = z.infer<typeof userMessage>;
export type ResultMessage = z.infer<typeof resultMessage>;
export type ModelUsage = z.infer<typeof modelUsage>;

/** A message of the engine (S4-21); types of other releases are kept as they came. */
export type EngineMessage =
  | { readonly kind: 'init'; readonly sessionId: string }
  | { readonly kind: 'streamed'; readonly message: StreamedMessage }
  | { readonly kind: 'assistant'; readonly message: AssistantMessage }
  | { readonly kind: 'user'; readonly message: UserMessage }
  | { readonly kind: 'result'; readonly message: ResultMessage }
  | { readonly kind: 'unknown'; readonly message: unknown };

/** Reads a message of the engine; fields that are missing or odd make it an unknown one. */
export function readEngineMessage(value: unknown): EngineMessage {
  const init = initMessage.safeParse(value);
  if (init.success) return { kind: 'init', sessionId: init.data.session_id };
  const streamed = streamedMessage.safeParse(value);
  if (streamed.success) return { kind: 'streamed', message: streamed.data };
  const assistant = assistantMessage.safeParse(value);
  if (assistant.success) return { kind: 'assistant', message: assistant.data };
  const user = userMessage.safeParse(value);
  if (user.success) return { kind: 'user', message: user.data };
  const result = resultMessage.safeParse(value);
  if (result.success) return { kind: 'result', message: result.data };
  return { kind: 'unknown', message: value };
}

/** Ids of the calls whose outputs a message brings. */
export function outputIdsOf({ message }: UserMessage): string[] {
  if (typeof message.content === 'string') return [];
  return message.content.flatMap(({ type, tool_use_id: id }) =>
    type === 'tool_result' && typeof id === 'string' ? [id] : [],
  );
}
