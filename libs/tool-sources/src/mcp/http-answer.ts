import { isJsonObject, type JsonValue } from '#libs/kernel';
import { foreignSpeech, type AnsweredError, type McpFailure } from './mcp-failure.js';
import { toLine } from './warnings.js';

/** Content types of a JSON-RPC answer over streamable HTTP; the stream of HTTP with SSE has the second only. */
export type SpokenType = 'application/json' | 'text/event-stream';

/** Null where an HTTP answer has one of the content types; parameters do not matter. */
export function foreignContentType(
  contentType: string | null,
  spoken: readonly SpokenType[],
): McpFailure | null {
  const type = contentType === null ? '' : essenceOf(contentType);
  if (spoken.some((one) => one === type)) return null;
  if (type === 'text/html' || type === 'application/xhtml+xml')
    return foreignSpeech(
      `the server answered with a web page (${type}), and does not speak MCP at this address`,
    );
  const found = type === '' ? 'without a content type' : `with the content type ${toLine(type, 100)}`;
  return foreignSpeech(
    `the server answered ${found} in the place of ${spoken.join(' or ')}: that is not MCP`,
  );
}

export function essenceOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/**
 * The JSON-RPC error in the body of an answer, as servers write it; null where there is none.
 *
 * @param requestId of the request that was answered; undefined where it had none
 */
export function readAnsweredError(
  body: string,
  requestId: string | number | undefined,
): (AnsweredError & { readonly isOfRequest: boolean }) | null {
  const answer = parsed(body);
  if (!isJsonObject(answer) || answer['result'] !== undefined) return null;
  const { error, id, jsonrpc } = answer;
  const isOfRequest = requestId !== undefined && (id === requestId || id === String(requestId));
  if (jsonrpc !== '2.0' && !isOfRequest) return null;
  if (typeof error === 'string') return { code: INTERNAL_ERROR, message: error, isOfRequest };
  if (!isJsonObject(error)) return null;
  const code = Number.isSafeInteger(error['code']) ? Number(error['code']) : INTERNAL_ERROR;
  const message = typeof error['message'] === 'string' ? error['message'] : '';
  return { code, message: message === '' ? 'without a message' : message, isOfRequest };
}

/** "Internal error" of JSON-RPC 2.0, for a code that is no integer. */
const INTERNAL_ERROR = -32_603;

/** Characters of a body with an error that is looked at; a longer one holds a result. */
const LONGEST_ERROR_BODY = 65_536;

function parsed(body: string): JsonValue | undefined {
  if (body.length > LONGEST_ERROR_BODY) return undefined;
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return undefined;
  }
}
