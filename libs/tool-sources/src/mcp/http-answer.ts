import { isJsonObject, type JsonValue } from '#libs/kernel';
import { foreignSpeech, type AnsweredError, type McpFailure } from './mcp-failure.js';
import { toLine } from './warnings.js';

/** Content types of a JSON-RPC answer: both over streamable HTTP, only the event stream over HTTP with SSE. */
export type SpokenType = 'application/json' | 'text/event-stream';

/** Null if the content type is one of those expected; parameters are ignored. */
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
 * The JSON-RPC error in a response body, tolerating malformed fields; null if there is none.
 *
 * @param requestId id of the answered request; undefined if it had none
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

/** JSON-RPC 2.0's "Internal error", used for codes that are no integers. */
const INTERNAL_ERROR = -32_603;

/** Maximum characters of an error body; longer bodies hold a result. */
const MAX_ERROR_BODY = 65_536;

function parsed(body: string): JsonValue | undefined {
  if (body.length > MAX_ERROR_BODY) return undefined;
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return undefined;
  }
}
