import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';

/** Fields in which servers send reasoning; the API itself has none. */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;
export type ReasoningField = (typeof REASONING_FIELDS)[number];

/** Reasoning that a server sent before calls. */
export interface ChatReasoning {
  readonly field: ReasoningField;
  readonly text: string;
  /** `reasoning_details`: reasoning that the server signed or encrypted. */
  readonly details: readonly JsonObject[];
  /** Further fields of calls by call id, e.g. the signature of the reasoning before a call. */
  readonly calls: Readonly<Record<string, JsonObject>>;
}

const ITEM_TYPE = 'chat_reasoning';

/**
 * Keeps reasoning before calls for the next request: some servers refuse the round after a call without it. Null if the
 * server sent none.
 */
export function toReasoningItem({ field, text, details, calls }: ChatReasoning): JsonObject | null {
  const hasCalls = Object.keys(calls).length > 0;
  if (text === '' && details.length === 0 && !hasCalls) return null;
  return { type: ITEM_TYPE, field, text, ...(details.length > 0 && { details }), ...(hasCalls && { calls }) };
}

/** Null for any other item. */
export function readReasoningItem(item: JsonObject): ChatReasoning | null {
  const field = REASONING_FIELDS.find((known) => known === item['field']);
  const { type, text, details = [], calls = {} } = item;
  if (type !== ITEM_TYPE || field === undefined || typeof text !== 'string') return null;
  return { field, text, details: objectsIn(details), calls: objectsByName(calls) };
}

function objectsIn(value: JsonValue): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function objectsByName(value: JsonValue): Record<string, JsonObject> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, fields]) =>
      isJsonObject(fields) ? [[name, fields] as const] : [],
    ),
  );
}
