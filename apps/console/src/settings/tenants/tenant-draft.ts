import type { Tenant } from '../../api/types.js';

/** A tenant as a person edits it: numbers are text, and an empty one is none. */
export interface TenantDraft {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly prompt: string;
  readonly listsFiles: boolean;
  readonly queued: string;
  readonly characters: string;
  readonly tokens: string;
  readonly days: string;
  readonly toolServers: 'named' | 'all';
  readonly titleLlm: string;
}

const text = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value);

/** The draft of a stored tenant, or of a new one. Pure. */
export function draftOf(tenant: Tenant | null): TenantDraft {
  const settings = tenant?.settings;
  return {
    ...{ id: tenant?.id ?? '', name: tenant?.name ?? '', isActive: tenant?.status !== 'inactive' },
    prompt: tenant?.system_prompt ?? '',
    listsFiles: settings?.workspace.enabled ?? false,
    queued: text(settings?.limits.queued_executions),
    characters: text(settings?.limits.input_characters),
    tokens: text(settings?.limits.tokens_per_execution),
    days: text(settings?.retention.days),
    toolServers: settings?.tool_servers ?? 'named',
    titleLlm: text(settings?.title_llm),
  };
}

/** Body of the request that stores a draft, without its id. A text that is no number goes along as it is. Pure. */
export function bodyOf(draft: TenantDraft) {
  return {
    ...(draft.name.trim() === '' ? {} : { name: draft.name }),
    status: draft.isActive ? ('active' as const) : ('inactive' as const),
    system_prompt: draft.prompt === '' ? null : draft.prompt,
    settings: {
      workspace: { enabled: draft.listsFiles },
      limits: {
        queued_executions: numberOf(draft.queued),
        input_characters: numberOf(draft.characters),
        tokens_per_execution: numberOf(draft.tokens),
      },
      retention: { days: numberOf(draft.days) },
      tool_servers: draft.toolServers,
      title_llm: numberOf(draft.titleLlm),
    },
  };
}

function numberOf(typed: string): number | null {
  const trimmed = typed.trim();
  if (trimmed === '') return null;
  const value = Number(trimmed);
  // JSON has no NaN: the text itself is refused with the name of its field.
  return Number.isNaN(value) ? (trimmed as unknown as number) : value;
}
