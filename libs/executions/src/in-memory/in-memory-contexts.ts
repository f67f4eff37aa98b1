import type { Preparation } from '#libs/agent-core';
import { executorIdOf } from '#libs/payloads';
import { readMemorySettings } from '#libs/policy';
import type { Claim } from '../ports/claim-store.js';
import { ContextStore, type AgentVersionKey } from '../ports/context-store.js';
import {
  MOST_STORED_TURNS,
  type StoredAgent,
  type StoredContext,
  type StoredSummary,
} from '../ports/stored-context.js';
import type { InMemoryExecution } from './in-memory-execution.js';
import type { InMemoryExecutions } from './in-memory-executions.js';
import { InMemoryMemories } from './in-memory-memories.js';

/** Agents and conversations in memory. */
export class InMemoryContexts extends ContextStore {
  constructor(
    private readonly store: InMemoryExecutions,
    private readonly memories = new InMemoryMemories(),
  ) {
    super();
  }

  override load({ executionId, tenantId, sessionId, turnNumber }: Claim): Promise<StoredContext | null> {
    const execution = this.store.findOf(tenantId, executionId);
    if (!execution) return Promise.resolve(null);
    const { agentId, agentVersion: version } = execution.accepted;
    const executorId = executorIdOf(execution.accepted.request);
    const agent = this.findAgent({ tenantId, agentId, version, executorId });
    if (agent === null) return Promise.resolve(null);
    const preparation = preparationOf(execution);
    return Promise.resolve({
      ...agent,
      preparation,
      ...this.conversationOf(sessionId, turnNumber, preparation),
    });
  }

  override loadAgent(key: AgentVersionKey): Promise<StoredAgent | null> {
    return Promise.resolve(this.findAgent(key));
  }

  override findUsableAgents(tenantId: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const isUsable = (agentId: number): boolean =>
      this.findAgent({ tenantId, agentId, version: null, executorId: null })?.agentIsActive === true;
    return Promise.resolve(new Set(ids.filter(isUsable)));
  }

  /** Whether it may be used is said by the newest version, everything else by the one that was asked for. */
  private findAgent({ tenantId, agentId, version, executorId }: AgentVersionKey): StoredAgent | null {
    const newest = this.store.findAgent(agentId, null);
    const found = this.store.findAgent(agentId, version);
    if (!newest || found?.tenantId !== tenantId) return null;
    const { id: _id, tenantId: _tenantId, ...agent } = found;
    const remembers = executorId !== null && readMemorySettings(agent.config).enabled;
    const memories = remembers ? this.memories.known({ tenantId, executorId }) : [];
    return { ...agent, memories, agentIsActive: newest.agentIsActive };
  }

  /** By the session as it is now, or as the first attempt was prepared. */
  private conversationOf(
    sessionId: string,
    ownTurn: number,
    preparation: Preparation | null,
  ): Pick<StoredContext, 'messages' | 'hasOlder' | 'hasForeignHistory' | 'summary'> {
    const summary = preparation === null ? this.store.findSummary(sessionId) : null;
    const pinned = preparation?.history?.fromTurn ?? this.store.firstShownTurn(sessionId);
    const first = summary === null ? pinned : summary.throughTurn + 1;
    const messages = this.store.messagesOf(sessionId);
    const system = messages.filter(({ role }) => role === 'system').slice(0, 1);
    const oldest = ownTurn - MOST_STORED_TURNS;
    const from = Math.max(first, oldest);
    const spoken = messages.filter(({ role, turnNumber }) => role !== 'system' && turnNumber >= from);
    return {
      messages: [...system, ...spoken],
      hasOlder: first < oldest,
      hasForeignHistory: this.store.hasForeign(sessionId),
      summary: summary && shown(summary),
    };
  }
}

function shown({ version, throughTurn, content }: StoredSummary): StoredSummary {
  return { version, throughTurn, content };
}

/** As the first attempt whose model answered has written it. */
function preparationOf({ facts }: InMemoryExecution): Preparation | null {
  for (const { entry } of facts) {
    if (entry.kind === 'execution_prepared' && entry.scope === undefined) {
      const { kind: _kind, scope: _scope, ...preparation } = entry;
      return preparation;
    }
  }
  return null;
}
