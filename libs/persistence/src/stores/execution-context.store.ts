import type { DataSource } from 'typeorm';
import type { AdditionalData } from '#libs/payloads';
import type { JsonObject } from '#libs/kernel';
import { queryRows } from '../sql.js';
import type { Claim } from './execution-claim.store.js';

export interface StoredMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly data: AdditionalData;
}

/** What an attempt needs beside its claim. */
export interface StoredContext {
  readonly agentIsActive: boolean;
  readonly usecaseType: string;
  readonly systemPrompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm: {
    readonly isActive: boolean;
    readonly provider: string;
    readonly model: string;
    readonly extra: JsonObject;
  };
  /** The session's settled messages, oldest first. */
  readonly messages: readonly StoredMessage[];
}

interface ContextRow {
  readonly is_active: boolean;
  readonly usecase_type: string;
  readonly system_prompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm_is_active: boolean;
  readonly provider: string;
  readonly model: string;
  readonly extra: JsonObject;
  readonly messages: readonly StoredMessage[] | null;
}

export class ExecutionContextStore {
  constructor(private readonly dataSource: DataSource) {}

  async load(claim: Claim): Promise<StoredContext | null> {
    const [row] = await queryRows<ContextRow>(this.dataSource, CONTEXT_SQL, [
      claim.agentId,
      claim.tenantId,
      claim.sessionId,
    ]);
    if (!row) return null;
    return {
      agentIsActive: row.is_active,
      usecaseType: row.usecase_type,
      systemPrompt: row.system_prompt,
      config: row.config,
      tools: row.tools,
      llm: { isActive: row.llm_is_active, provider: row.provider, model: row.model, extra: row.extra },
      messages: row.messages ?? [],
    };
  }
}

const CONTEXT_SQL = `
  SELECT agent.is_active, agent.usecase_type, agent.system_prompt, agent.config, agent.tools,
         llm.is_active AS llm_is_active, llm.provider, llm.model, llm.extra,
         (SELECT jsonb_agg(jsonb_build_object('role', role, 'content', content, 'data', data) ORDER BY turn_number, ordinal)
            FROM chat_message WHERE session_id = $3) AS messages
    FROM agent JOIN llm ON llm.id = agent.llm_id
   WHERE agent.id = $1 AND agent.tenant_id = $2`;
