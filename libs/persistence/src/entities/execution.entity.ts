import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import type {
  ExecutionStatus,
  ExecutionUsage,
  IncompleteReason,
  KeptRequest,
  PendingCall,
  WaitingFor,
} from '#libs/payloads';
import { AgentEntity } from './agent.entity.js';
import { ChatSessionEntity } from './chat-session.entity.js';

/**
 * One accepted request to run an agent, from submit to settled. Once settled a row never changes again; a trigger
 * guards it.
 */
@Entity('execution')
@Index('execution_turn_key', ['sessionId', 'turnNumber'], { unique: true })
@Index('execution_unsettled_idx', ['sessionId', 'turnNumber'], {
  where: `"status" IN ('queued', 'running', 'requires_action')`,
})
@Index('execution_waiting_idx', ['tenantId', 'dueAt', 'createdAt', 'id'], {
  where: `"status" = 'queued' AND "head_since" IS NOT NULL AND "dispatched_at" IS NULL`,
})
@Index('execution_dispatched_idx', ['dispatchedAt'], { where: `"dispatched_at" IS NOT NULL` })
@Index('execution_queued_idx', ['tenantId'], { where: `"status" = 'queued'` })
@Index('execution_running_idx', ['tenantId'], { where: `"status" = 'running'` })
@Index('execution_approval_idx', ['approvalExpiresAt'], { where: `"status" = 'requires_action'` })
@Index('execution_list_idx', ['tenantId', 'id'])
@Index('execution_finished_idx', ['tenantId', 'finishedAt'], { where: `"finished_at" IS NOT NULL` })
@Index('execution_status_idx', ['tenantId', 'status', 'id'], {
  where: `"status" IN ('requires_action', 'completed', 'incomplete', 'failed', 'cancelled')`,
})
@Index('execution_agent_idx', ['tenantId', 'agentId', 'id'])
@Index('execution_agent_status_idx', ['tenantId', 'agentId', 'status', 'id'], {
  where: `"status" IN ('requires_action', 'completed', 'incomplete', 'failed', 'cancelled')`,
})
// A GIN index, which decorators cannot describe.
@Index('execution_metadata_idx', { synchronize: false })
// An index of an expression, which decorators cannot describe.
@Index('execution_executor_idx', { synchronize: false })
@Check(
  'execution_status_check',
  `"status" IN ('queued', 'running', 'requires_action', 'completed', 'incomplete', 'failed', 'cancelled')`,
)
export class ExecutionEntity {
  /** UUID version 7: sorts by the time of acceptance. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @ForeignKey(() => AgentEntity, { onDelete: 'RESTRICT' })
  @Column('integer', { name: 'agent_id' })
  agentId!: number;

  /**
   * The version of the agent that it was accepted with, and runs. Null: accepted by a release that did not know
   * versions.
   */
  @Column('integer', { name: 'agent_version', nullable: true })
  agentVersion!: number | null;

  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE' })
  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  @Column('integer', { name: 'turn_number' })
  turnNumber!: number;

  @Column('text', { default: 'queued' })
  status!: ExecutionStatus;

  /** Since when no earlier turn of its session is unsettled; null before. Triggers keep it. */
  @Column('timestamptz', { name: 'head_since', nullable: true })
  headSince!: Date | null;

  @Column('jsonb')
  request!: KeptRequest;

  @Column('jsonb', { default: {} })
  metadata!: Record<string, string>;

  /** How often it was claimed, without the claims that only waited. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** Attempts in a row that ended without an outcome and without a new fact: their worker died, hung or was cut off. */
  @Column('integer', { name: 'lost_attempts', default: 0 })
  lostAttempts!: number;

  /** The latest attempt that was lost. */
  @Column('integer', { name: 'lost_epoch', nullable: true })
  lostEpoch!: number | null;

  /** How often a process died of it that held nothing else. */
  @Column('integer', { name: 'isolated_deaths', default: 0 })
  isolatedDeaths!: number;

  /** Not before then; null: at once. */
  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt!: Date | null;

  /**
   * Goes up with every claim: distinguishes attempts in reports and in the journal. It can recur when the database
   * loses its tail.
   */
  @Column('integer', { default: 0 })
  epoch!: number;

  /** The fence: random, new with every claim; a write of an attempt that names another one changes nothing. */
  @Column('uuid', { name: 'claim_token', nullable: true })
  claimToken!: string | null;

  @Column('text', { name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt!: Date | null;

  /** When its job was last sent to the queue; null when it waits to be sent. */
  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  dispatchedAt!: Date | null;

  /** Its time, waits included, is over then; null before it is first claimed, and while it waits for a person. */
  @Column('timestamptz', { name: 'deadline_at', nullable: true })
  deadlineAt!: Date | null;

  /** The wait that it was last seen in; which part of it is shown depends on the status. */
  @Column('jsonb', { name: 'waiting_for', nullable: true })
  waitingFor!: WaitingFor | null;

  /** Milliseconds by which waits for tool servers have put off its deadline (`wait_for_tools_seconds`). */
  @Column('integer', { name: 'waited_for_tools_ms', default: 0 })
  waitedForToolsMs!: number;

  /** When somebody asked for it to end. */
  @Column('timestamptz', { name: 'cancel_requested_at', nullable: true })
  cancelRequestedAt!: Date | null;

  /** The tool calls that wait for a person's decision. */
  @Column('jsonb', { name: 'pending_calls', nullable: true })
  pendingCalls!: PendingCall[] | null;

  /** Then they count as refused. */
  @Column('timestamptz', { name: 'approval_expires_at', nullable: true })
  approvalExpiresAt!: Date | null;

  @Column('integer', { name: 'result_message_id', nullable: true })
  resultMessageId!: number | null;

  @Column('text', { name: 'incomplete_reason', nullable: true })
  incompleteReason!: IncompleteReason | null;

  @Column('jsonb', { nullable: true })
  error!: { code: string; message: string } | null;

  @Column('jsonb', { nullable: true })
  usage!: ExecutionUsage | null;

  @Column('jsonb', { name: 'execution_metadata', default: {} })
  executionMetadata!: JsonObject;

  /** The engine session that it ended in; null where it left no message (S4-27). */
  @Column('text', { name: 'engine_session_id', nullable: true })
  engineSessionId!: string | null;

  /** How often its model answered, sub-agents left out (S4-27). */
  @Column('integer', { name: 'num_turns', nullable: true })
  numTurns!: number | null;

  /** Notes of the agent that no user sees (S2-25). */
  @Column('jsonb', { name: 'working_memory', nullable: true })
  workingMemory!: JsonObject | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Null until an attempt had all of its tools. */
  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  /** The latest restore of the database that found it unsettled; null: none. */
  @Column('timestamptz', { name: 'restored_at', nullable: true })
  restoredAt!: Date | null;
}
