import type { Llm, LlmFields, ModelList } from '../../api/types.js';
import { readJsonObject, type JsonObject } from '../../format/json-object.js';

type Provider = ModelList['providers'][number];
export type CredentialField = Provider['model_credential_schema'][number];

/** A model configuration as a person edits it: everything is text. */
export interface ModelDraft {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  /** Credentials of the form by the name of their field; an empty secret leaves the stored one. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Credentials that the form has no field for, as JSON. */
  readonly settings: string;
  readonly extra: string;
  readonly pricing: string;
  readonly isActive: boolean;
}

/** Fields of the form for a provider. Pure. */
export function credentialFields(list: ModelList, provider: string): readonly CredentialField[] {
  return list.providers.find(({ id }) => id === provider)?.model_credential_schema ?? [];
}

/** The draft of a stored configuration, or of a new one. Pure. */
export function draftOf(llm: Llm | null, list: ModelList): ModelDraft {
  const provider = llm?.provider ?? list.providers[0]?.id ?? '';
  const names = new Set(credentialFields(list, provider).map(({ variable }) => variable));
  const stored = Object.entries(llm?.credentials ?? {});
  return {
    ...{ name: llm?.name ?? '', provider, model: llm?.model ?? '', isActive: llm?.is_active ?? true },
    credentials: Object.fromEntries(
      stored.filter(([name]) => names.has(name)).map(([name, value]) => [name, String(value)]),
    ),
    settings: textOf(Object.fromEntries(stored.filter(([name]) => !names.has(name)))),
    extra: textOf(llm?.extra ?? null),
    pricing: textOf(llm?.pricing ?? null),
  };
}

export type ModelBody =
  | { readonly kind: 'body'; readonly body: LlmFields }
  | { readonly kind: 'faults'; readonly faults: Readonly<Record<string, string>> };

/** Body of the request that stores a draft, or what is wrong with its JSON by field. Pure. */
export function bodyOf(draft: ModelDraft, fields: readonly CredentialField[]): ModelBody {
  const read = {
    settings: objectOf(draft.settings, {}),
    extra: objectOf(draft.extra, {}),
    pricing: objectOf(draft.pricing, null),
  };
  const faults = Object.entries(read).flatMap(([name, result]) =>
    'fault' in result ? [[name, result.fault] as const] : [],
  );
  if (faults.length > 0) return { kind: 'faults', faults: Object.fromEntries(faults) };
  const valueOf = (name: keyof typeof read) => ('value' in read[name] ? read[name].value : null);
  const given = fields
    .map(({ variable }) => [variable, (draft.credentials[variable] ?? '').trim()] as const)
    .filter(([, text]) => text !== '');
  const body = {
    ...{ name: draft.name, provider: draft.provider, model: draft.model, is_active: draft.isActive },
    credentials: { ...valueOf('settings'), ...Object.fromEntries(given) },
    ...{ extra: valueOf('extra') ?? {}, pricing: valueOf('pricing') },
  };
  // The service checks what is within: its answer names the field.
  return { kind: 'body', body: body as LlmFields };
}

/** An object that a person typed as JSON; an empty text is `empty`. */
function objectOf<Empty>(
  text: string,
  empty: Empty,
): { readonly value: JsonObject | Empty } | { readonly fault: string } {
  if (text.trim() === '') return { value: empty };
  const read = readJsonObject(text);
  if (read.kind === 'object') return { value: read.value };
  return {
    fault:
      read.kind === 'other'
        ? 'must be a JSON object, such as {"temperature": 0.2}'
        : `is no JSON: ${read.reason}`,
  };
}

/** An object as JSON to edit; none, and an empty one, as an empty text. */
function textOf(value: object | null): string {
  return value === null || Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2);
}
