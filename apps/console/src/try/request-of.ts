import type { components } from '../../generated/openapi.js';
import type { StoredFile } from '../api/types.js';
import type { Side } from './try-search.js';

export type ExecuteRequest = components['schemas']['ExecuteRequest'];

/** A message as a person wrote it. */
export interface Draft {
  readonly text: string;
  readonly files: readonly StoredFile[];
  /** JSON of `options`; empty for none. */
  readonly options: string;
  /** `user_id` of the executor; empty for none. */
  readonly executor: string;
}

/** Body of the request that sends a message to one side. Pure. */
export function requestOf(draft: Draft, { version, session }: Side): ExecuteRequest {
  const options = readOptions(draft.options);
  const executor = draft.executor.trim();
  return {
    input: draft.text,
    ...(version === null ? {} : { agent_version: version }),
    ...(session === null ? {} : { session_uuid: session }),
    ...(options.value === null ? {} : { options: options.value }),
    ...(executor === '' ? {} : { executor: { user_id: executor } }),
    ...(draft.files.length === 0
      ? {}
      : { additional_data: { attachments: draft.files.map(({ id }) => ({ id })) } }),
  };
}

interface ReadOptions {
  /** Null for none, and where the text is not valid. */
  readonly value: Record<string, unknown> | null;
  readonly fault: string | null;
}

/** Reads the JSON object that a person typed as `options`. Pure. */
export function readOptions(text: string): ReadOptions {
  if (text.trim() === '') return { value: null, fault: null };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { value: null, fault: 'must be an object, such as {"max_output_tokens": 500}' };
    }
    return { value: value as Record<string, unknown>, fault: null };
  } catch (error) {
    return {
      value: null,
      fault: `is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`,
    };
  }
}
