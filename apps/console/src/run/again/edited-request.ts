import type { components } from '../../../generated/openapi.js';
import type { ExecutionWithRequest } from '../../api/types.js';
import { readJsonObject, type JsonObject } from '../../format/json-object.js';

type ExecuteRequest = components['schemas']['ExecuteRequest'];

/** A request to be changed before it runs again, as texts of a form. */
export interface RequestForm {
  readonly input: string;
  /** JSON object. */
  readonly options: string;
  /** JSON object; empty for none. */
  readonly executor: string;
  /** JSON object of texts. */
  readonly metadata: string;
  /** Version of the agent; null for the newest one. */
  readonly version: number | null;
  /** Continues the conversation of the run instead of beginning another one. */
  readonly isSameSession: boolean;
}

export type EditedRequest =
  | { readonly request: ExecuteRequest }
  | { readonly faults: Readonly<Partial<Record<keyof RequestForm, string>>> };

/** The request of a run as a form. Pure. */
export function formOf({
  input,
  options,
  executor,
  metadata,
}: Pick<ExecutionWithRequest, 'input' | 'options' | 'executor' | 'metadata'>): RequestForm {
  const textOf = (value: object): string => JSON.stringify(value, null, 2);
  return {
    input,
    options: textOf(options),
    executor: executor === null ? '' : textOf(executor),
    metadata: textOf(metadata),
    version: null,
    isSameSession: false,
  };
}

/** The request that a form asks for, or what is wrong with each field. Pure. */
export function requestOf(form: RequestForm, sessionId: string): EditedRequest {
  const options = objectOf(form.options);
  const executor = objectOf(form.executor);
  const metadata = objectOf(form.metadata);
  const faults = {
    ...(form.input.trim() === '' ? { input: 'An input is required.' } : {}),
    ...(options === null ? { options: MUST_BE_OBJECT } : {}),
    ...(executor === null ? { executor: MUST_BE_OBJECT } : {}),
    ...(metadata === null ? { metadata: MUST_BE_OBJECT } : {}),
  };
  if (Object.keys(faults).length > 0) return { faults };
  const request = {
    input: form.input,
    ...{ options, metadata },
    ...(Object.keys(executor ?? {}).length > 0 && { executor }),
    ...(form.version !== null && { agent_version: form.version }),
    ...(form.isSameSession && { session_uuid: sessionId }),
  };
  return { request: request as ExecuteRequest };
}

const MUST_BE_OBJECT = 'Must be a JSON object.';

/** Null for what is no JSON object. */
function objectOf(text: string): JsonObject | null {
  const read = readJsonObject(text);
  return read.kind === 'object' ? read.value : null;
}
