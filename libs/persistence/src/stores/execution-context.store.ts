import type { DataSource } from 'typeorm';
import type { Preparation } from '#libs/agent-core';
import type { AdditionalData } from '#libs/payloads';
import type { JsonObject } from '#libs/kernel';
import { queryRows } from '../sql.js';
import { preparationSchema } from './journal-entry.schema.js';
import type { Claim } from './execution-claim.store.js';

export interface StoredMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly data: AdditionalData;
}

/** A model configuration with its key still sealed. */
export interface StoredLlm {
  readonly id: number;
  readonly tenantId: string;
  readonly isActive: boolean;
  readonly provider: string;
  readonly model: string;
  readonly extra: JsonObject;
  readonly credentials: JsonObject;
  readonly apiKeySealed: string | null;
  readonly pricing: object | null;
}

/** What an attempt needs beside its claim. */
export interface StoredContext {
  /** Whether the agent may be used now; everything else of it is as in the version that the execution was accepted with. */
  readonly agentIsActive: boolean;
  readonly agentVersion: number;
  /** What an earlier attempt began with; null before the first answer of a model. */
  readonly preparation: Preparation | null;
  readonly usecaseType: string;
  readonly systemPrompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm: StoredLlm;
  /** The session's settled messages, oldest first. */
  readonly messages: readonly StoredMessage[];
}

interface ContextRow {
  readonly is_active: boolean;
  readonly version: number;
  readonly preparation: object | null;
  readonly usecase_type: string;
  readonly system_prompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm: StoredLlm;
  readonly messages: readonly StoredMessage[] | null;
}

export class ExecutionContextStore {
  constructor(private readonly dataSource: DataSource) {}

  async load(claim: Claim): Promise<StoredContext | null> {
    const [row] = await queryRows<ContextRow>(this.dataSource, CONTEXT_SQL, [
      claim.executionId,
      claim.tenantId,
      claim.sessionId,
    ]);
    if (!row) return null;
    return {
      agentIsActive: row.is_active,
      agentVersion: row.version,
      preparation: row.preparation && preparationSchema.parse(row.preparation),
      usecaseType: row.usecase_type,
      systemPrompt: row.system_prompt,
      config: row.config,
      tools: row.tools,
      llm: row.llm,
      messages: row.messages ?? [],
    };
  }
}

const CONTEXT_SQL = `
  SELECT agent.is_active, prepared.data AS preparation, pinned.version, pinned.usecase_type, pinned.system_prompt, pinned.config, pinned.tools,
         jsonb_build_object(
           'id', llm.id, 'tenantId', llm.tenant_id, 'isActive', llm.is_active, 'provider', llm.provider, 'model', llm.model,
           'extra', llm.extra, 'credentials', llm.credentials, 'apiKeySealed', llm.api_key_sealed, 'pricing', llm.pricing
         ) AS llm,
         (SELECT jsonb_agg(jsonb_build_object('role', role, 'content', content, 'data', data) ORDER BY turn_number, ordinal)
            FROM chat_message WHERE session_id = $3) AS messages
    FROM execution
    JOIN agent ON agent.id = execution.agent_id
    LEFT JOIN LATERAL (
      SELECT data FROM journal_entry
       WHERE execution_id = execution.id AND scope = '' AND kind = 'execution_prepared' ORDER BY sequence LIMIT 1
    ) prepared ON true
    JOIN agent_version pinned
      ON pinned.agent_id = agent.id
     AND pinned.version = coalesce(execution.agent_version, (prepared.data->'agent'->>'version')::int, agent.version)
    JOIN llm ON llm.id = pinned.llm_id
   WHERE execution.id = $1 AND execution.tenant_id = $2`;
