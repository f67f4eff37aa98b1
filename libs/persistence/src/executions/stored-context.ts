import {
  MAX_STORED_TURNS,
  type StoredAgent,
  type StoredContext,
  type StoredLlm,
  type StoredMessage,
  type StoredSummary,
  type StoredTenant,
} from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import { readTenantSettings, withServersOfTenant, type KnownMemory, type ListedSkill } from '#libs/policy';
import { preparationSchema } from './journal-entry.schema.js';
import { IS_PINNED } from '../memory/memory-rows.js';

export interface AgentRow {
  readonly is_active: boolean;
  readonly version: number;
  readonly usecase_type: string;
  readonly system_prompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm: StoredLlm;
  readonly tenant: (Omit<StoredTenant, 'settings'> & { readonly settings: object }) | null;
  readonly skills: readonly ListedSkill[] | null;
  readonly memories: readonly KnownMemory[] | null;
}

export interface ContextRow extends AgentRow {
  readonly preparation: object | null;
  readonly messages: readonly StoredMessage[] | null;
  readonly has_older: boolean | null;
  readonly has_foreign: boolean | null;
  readonly summary: StoredSummary | null;
}

export function toAgent(row: AgentRow): StoredAgent {
  const tenant = row.tenant && { ...row.tenant, settings: readTenantSettings(row.tenant.settings) };
  return {
    agentIsActive: row.is_active,
    agentVersion: row.version,
    tenant,
    skills: row.skills ?? [],
    memories: row.memories ?? [],
    usecaseType: row.usecase_type,
    systemPrompt: row.system_prompt,
    config: row.config,
    tools: tenant === null ? row.tools : withServersOfTenant(row.tools, tenant.settings),
    llm: row.llm,
  };
}

export function toContext(row: ContextRow): StoredContext {
  // An invalid preparation counts as missing here; reading the journal reports it.
  const preparation = preparationSchema.safeParse(row.preparation).data ?? null;
  const { messages, summary } = row;
  return {
    ...toAgent(row),
    preparation,
    messages: messages ?? [],
    hasOlder: row.has_older ?? false,
    hasForeignHistory: row.has_foreign ?? false,
    summary,
  };
}

/** A row of `llm` as {@link StoredLlm}. */
export const LLM_OBJECT = `jsonb_build_object(
           'id', llm.id, 'tenantId', llm.tenant_id, 'isActive', llm.is_active, 'provider', llm.provider, 'model', llm.model,
           'extra', llm.extra, 'credentials', llm.credentials, 'apiKeySealed', llm.api_key_sealed, 'pricing', llm.pricing
         )`;

/**
 * Ids of fallbacks as `wanted.ids`: those of the request, else of the agent, else of the model configuration. It stands
 * after joins of `execution`, `pinned` and `llm`.
 */
export const WANTED_FALLBACKS = `
    LEFT JOIN LATERAL (
      SELECT coalesce(execution.request #> '{options,fallbacks}', pinned.config -> 'fallbacks', llm.extra -> 'fallbacks') AS ids
    ) wanted ON true`;

/** The active ones of {@link WANTED_FALLBACKS} in their order, each as {@link StoredLlm}. */
export const fallbacksSql = (tenant: string): string => `coalesce((
           SELECT jsonb_agg(${LLM_OBJECT} ORDER BY named.place)
             FROM jsonb_array_elements(CASE WHEN jsonb_typeof(wanted.ids) = 'array' THEN wanted.ids ELSE '[]' END)
                    WITH ORDINALITY AS named (id, place)
             JOIN llm ON to_jsonb(llm.id) = named.id AND llm.tenant_id = ${tenant} AND llm.is_active), '[]')`;

/** @param executor SQL expression of the executor's id */
export const agentColumns = (executor: string): string => `
         agent.is_active, pinned.version, pinned.usecase_type, pinned.system_prompt, pinned.config, pinned.tools,
         ${LLM_OBJECT} AS llm,
         (SELECT jsonb_build_object('isActive', tenant.status = 'active', 'systemPrompt', tenant.system_prompt,
                   'settings', tenant.settings)
            FROM tenant WHERE tenant.id = agent.tenant_id) AS tenant,
         (SELECT jsonb_agg(jsonb_build_object('name', skill.name, 'description', skill.description) ORDER BY skill.name COLLATE "C")
            FROM skill WHERE skill.tenant_id = agent.tenant_id AND skill.is_active) AS skills,
         CASE WHEN pinned.config #> '{memory,enabled}' = 'true'::jsonb THEN
           (SELECT jsonb_agg(jsonb_build_object('text', text, 'isPinned', ${IS_PINNED}, 'isForeign', is_foreign) ORDER BY id)
              FROM memory WHERE memory.tenant_id = agent.tenant_id AND memory.executor_id = ${executor}) END AS memories`;

/** A row of `chat_message` as {@link StoredMessage}. */
const MESSAGE_OBJECT = `jsonb_build_object('role', role, 'content', content, 'data', data, 'turnNumber', turn_number,
           'tokens', CASE WHEN tokens IS NOT NULL THEN jsonb_build_object('count', tokens, 'tokenizer', tokenizer) END)`;
const MESSAGE_COLUMNS = 'role, content, data, turn_number, ordinal, tokens, tokenizer';

/**
 * First turn of `e`'s conversation for its model, and the summary of earlier turns: from the session's current state, or
 * as the first attempt pinned it. A summary from before a reset is ignored.
 */
const lineSql = (e: string): string => `
  SELECT summary.content, summary.version, summary.through_turn, ${e}.turn_number - ${MAX_STORED_TURNS} AS oldest_turn,
         session.foreign_turn >= session.engine_first_turn AS has_foreign,
         coalesce(CASE WHEN prepared.data IS NULL THEN summary.through_turn + 1
                       ELSE (prepared.data #>> '{history,fromTurn}')::int END, session.engine_first_turn) AS first_turn
    FROM chat_session session
    LEFT JOIN session_summary summary ON summary.session_id = session.id AND summary.first_turn = session.engine_first_turn
   WHERE session.id = ${e}.session_id`;

/**
 * Messages that no summary covers, and the system prompt through its own index. The range of turns bounds the read for
 * any plan and conversation length.
 */
const shownMessagesSql = (e: string): string => {
  const part = (condition: string): string =>
    `SELECT ${MESSAGE_COLUMNS} FROM chat_message WHERE session_id = ${e}.session_id AND ${condition}`;
  return `${part(`role <> 'system' AND turn_number >= greatest(line.first_turn, line.oldest_turn)`)}
        UNION ALL (${part(`role = 'system'`)} ORDER BY turn_number LIMIT 1)`;
};

/**
 * Context of an attempt: one row for the execution `e`, none if its agent was deleted.
 * @param e alias of a row of `execution` in the outer statement
 */
export const contextSql = (e: string): string => `
  SELECT ${agentColumns(`${e}.request #>> '{executor,user_id}'`)}, prepared.data AS preparation,
         CASE WHEN prepared.data IS NULL AND line.content IS NOT NULL THEN jsonb_build_object(
           'version', line.version, 'throughTurn', line.through_turn, 'content', line.content) END AS summary,
         line.first_turn < line.oldest_turn AS has_older, line.has_foreign,
         (SELECT jsonb_agg(${MESSAGE_OBJECT} ORDER BY turn_number, ordinal)
            FROM (${shownMessagesSql(e)}) shown) AS messages
    FROM agent
    LEFT JOIN LATERAL (
      SELECT data FROM journal_entry
       WHERE execution_id = ${e}.id AND scope = '' AND kind = 'execution_prepared' ORDER BY sequence LIMIT 1
    ) prepared ON true
    LEFT JOIN LATERAL (${lineSql(e)}) line ON true
    JOIN agent_version pinned
      ON pinned.agent_id = agent.id
     AND pinned.version = coalesce(${e}.agent_version, (prepared.data->'agent'->>'version')::int, agent.version)
    JOIN llm ON llm.id = pinned.llm_id
   WHERE agent.id = ${e}.agent_id`;
