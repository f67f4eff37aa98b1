import { z } from 'zod';
import { invalidRequest, itemNotFound, type ApiError } from '../http/api-error.js';
import { explainIssue } from '../http/explain-issue.js';

/** A conversation item, reduced to the fields that models here read. */
export type InputItem =
  | { readonly type: 'message'; readonly role: 'user' | 'system' | 'developer'; readonly text: string }
  | {
      readonly type: 'message';
      readonly role: 'assistant';
      readonly text: string;
      readonly id: string | null;
    }
  | {
      readonly type: 'function_call';
      readonly id: string | null;
      readonly callId: string;
      readonly name: string;
      readonly arguments: string;
    }
  | { readonly type: 'function_call_output'; readonly callId: string; readonly output: string }
  | { readonly type: 'reasoning'; readonly id: string; readonly encryptedContent: string | null };

const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']).nullish();
const inputPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string() }),
  z.strictObject({
    type: z.literal('input_image'),
    detail: z.enum(['auto', 'low', 'high']).optional(),
    image_url: z.string().regex(/^(https?:|data:image\/)/),
  }),
  z.strictObject({
    type: z.literal('input_file'),
    filename: z.string().min(1),
    file_data: z.string().regex(/^data:application\/pdf;base64,/),
  }),
]);
const outputPart = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(z.json()).optional(),
    logprobs: z.array(z.json()).optional(),
  }),
  z.strictObject({ type: z.literal('refusal'), refusal: z.string() }),
]);

const questionSchema = z.strictObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'system', 'developer']),
  content: z.union([z.string(), z.array(inputPart)]),
  id: z.string().nullish(),
  status: itemStatus,
});
const answerSchema = z.strictObject({
  type: z.literal('message').optional(),
  role: z.literal('assistant'),
  content: z.union([z.string(), z.array(outputPart)]),
  id: z.string().nullish(),
  status: itemStatus,
  phase: z.enum(['commentary', 'final_answer']).nullish(),
});
const callSchema = z.strictObject({
  type: z.literal('function_call'),
  call_id: z.string().min(1).max(64),
  name: z.string().min(1),
  arguments: z.string(),
  id: z.string().nullish(),
  status: itemStatus,
});
const outputSchema = z.strictObject({
  type: z.literal('function_call_output'),
  call_id: z.string().min(1).max(64),
  output: z.union([z.string(), z.array(inputPart)]),
  id: z.string().nullish(),
  status: itemStatus,
});
const reasoningItemSchema = z.strictObject({
  type: z.literal('reasoning'),
  id: z.string().min(1),
  summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
  content: z.array(z.json()).nullish(),
  encrypted_content: z.string().nullish(),
  status: itemStatus,
});
const headSchema = z.looseObject({ type: z.string().optional(), role: z.string().optional() });

/** Validates one element of `input`. Throws the 400 or 404 of the real API, naming `input[index]`. */
export function parseInputItem(item: unknown, index: number): InputItem {
  const head = read(headSchema, item, index);
  switch (head.type ?? 'message') {
    case 'message':
      return head.role === 'assistant' ? toAnswer(item, index) : toQuestion(item, index);
    case 'function_call': {
      const call = read(callSchema, item, index);
      const id = checkPrefix(call.id ?? null, 'fc', index);
      return { type: 'function_call', id, callId: call.call_id, name: call.name, arguments: call.arguments };
    }
    case 'function_call_output': {
      const { call_id: callId, output } = read(outputSchema, item, index);
      return {
        type: 'function_call_output',
        callId,
        output: typeof output === 'string' ? output : textOf(output),
      };
    }
    case 'reasoning': {
      const reasoning = read(reasoningItemSchema, item, index);
      checkPrefix(reasoning.id, 'rs', index);
      return { type: 'reasoning', id: reasoning.id, encryptedContent: reasoning.encrypted_content ?? null };
    }
    case 'item_reference':
      throw itemNotFound(read(z.looseObject({ id: z.string() }), item, index).id);
    default:
      throw unsupportedType(head.type ?? '', index);
  }
}

function toQuestion(item: unknown, index: number): InputItem {
  const { role, content } = read(questionSchema, item, index);
  return { type: 'message', role, text: typeof content === 'string' ? content : textOf(content) };
}

function toAnswer(item: unknown, index: number): InputItem {
  const answer = read(answerSchema, item, index);
  const { content } = answer;
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'output_text' ? part.text : part.refusal)).join('');
  return { type: 'message', role: 'assistant', text, id: checkPrefix(answer.id ?? null, 'msg', index) };
}

/** Image and file parts are accepted and ignored. */
function textOf(parts: readonly z.infer<typeof inputPart>[]): string {
  return parts.flatMap((part) => (part.type === 'input_text' ? part.text : [])).join('\n');
}

function read<T>(schema: z.ZodType<T>, item: unknown, index: number): T {
  const parsed = schema.safeParse(item);
  if (parsed.success) return parsed.data;
  throw explainIssue(parsed.error, item, ['input', index]);
}

function checkPrefix(id: string | null, prefix: string, index: number): string | null {
  if (id === null || id.startsWith(prefix)) return id;
  const param = `input[${index}].id`;
  throw invalidRequest(
    `Invalid '${param}': '${id}'. Expected an ID that begins with '${prefix}'.`,
    param,
    'invalid_value',
  );
}

function unsupportedType(type: string, index: number): ApiError {
  const message =
    `Invalid value: '${type}'. Supported values are: 'message', 'function_call', 'function_call_output', 'reasoning' ` +
    "and 'item_reference'.";
  return invalidRequest(message, `input[${index}]`, 'invalid_value');
}
