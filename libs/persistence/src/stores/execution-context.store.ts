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

  override async load(claim: Claim, patience: Patience): Promise<StoredContext | null> {
    const { agentId, tenantId, sessionId } = claim;
    const ask = () => queryRows<ContextRow>(this.dataSource, CONTEXT_SQL, [agentId, tenantId, sessionId]);
    const [row] = await askPatiently(ask, patience);
    if (!row) return null;
    return {
      agentIsActive: row.is_active,
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
  SELECT agent.is_active, agent.usecase_type, agent.system_prompt, agent.config, agent.tools,
         jsonb_build_object(
           'id', llm.id, 'tenantId', llm.tenant_id, 'isActive', llm.is_active, 'provider', llm.provider, 'model', llm.model,
           'extra', llm.extra, 'credentials', llm.credentials, 'apiKeySealed', llm.api_key_sealed, 'pricing', llm.pricing
         ) AS llm,
         (SELECT jsonb_agg(jsonb_build_object('role', role, 'content', content, 'data', data) ORDER BY turn_number, ordinal)
            FROM chat_message WHERE session_id = $3) AS messages
    FROM agent JOIN llm ON llm.id = agent.llm_id
   WHERE agent.id = $1 AND agent.tenant_id = $2`;
