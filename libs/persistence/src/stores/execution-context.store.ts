import type { DataSource } from 'typeorm';
import {
  ContextStore,
  type Claim,
  type Patience,
  type StoredContext,
  type StoredLlm,
  type StoredMessage,
} from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import { queryRows } from '../sql.js';
import { askPatiently } from './write-patience.js';

interface ContextRow {
  readonly is_active: boolean;
  readonly version: number;
  readonly usecase_type: string;
  readonly system_prompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm: StoredLlm;
  readonly messages: readonly StoredMessage[] | null;
}

export class ExecutionContextStore extends ContextStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async load(
    { executionId, tenantId, sessionId }: Claim,
    patience: Patience,
  ): Promise<StoredContext | null> {
    const ask = () => queryRows<ContextRow>(this.dataSource, CONTEXT_SQL, [executionId, tenantId, sessionId]);
    const [row] = await askPatiently(ask, patience);
    if (!row) return null;
    return {
      agentIsActive: row.is_active,
      agentVersion: row.version,
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
  SELECT agent.is_active, pinned.version, pinned.usecase_type, pinned.system_prompt, pinned.config, pinned.tools,
         jsonb_build_object(
           'id', llm.id, 'tenantId', llm.tenant_id, 'isActive', llm.is_active, 'provider', llm.provider, 'model', llm.model,
           'extra', llm.extra, 'credentials', llm.credentials, 'apiKeySealed', llm.api_key_sealed, 'pricing', llm.pricing
         ) AS llm,
         (SELECT jsonb_agg(jsonb_build_object('role', role, 'content', content, 'data', data) ORDER BY turn_number, ordinal)
            FROM chat_message
           WHERE session_id = $3
             AND (role = 'system' OR turn_number >= (SELECT engine_first_turn FROM chat_session WHERE id = $3))) AS messages
    FROM execution
    JOIN agent ON agent.id = execution.agent_id
    JOIN agent_version pinned
      ON pinned.agent_id = agent.id AND pinned.version = coalesce(execution.agent_version, agent.version)
    JOIN llm ON llm.id = pinned.llm_id
   WHERE execution.id = $1 AND execution.tenant_id = $2`;
