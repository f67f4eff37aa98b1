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
import type { AttemptRecord } from '../executions/attempt-record.js';
import { AgentEntity } from './agent.entity.js';
import { ChatSessionEntity } from './chat-session.entity.js';

/** One accepted request to run an agent. A settled row never changes again; a trigger enforces that. */
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
@Index('execution_expired_approval_idx', ['tenantId', 'approvalExpiredAt'], {
  where: `"approval_expired_at" IS NOT NULL`,
})
@Index('execution_list_idx', ['tenantId', 'id'])
@Index('execution_finished_idx', ['tenantId', 'finishedAt'], { where: `"finished_at" IS NOT NULL` })
@Index('execution_status_idx', ['tenantId', 'status', 'id'], {
  where: `"status" IN ('requires_action', 'completed', 'incomplete', 'failed', 'cancelled')`,
})
@Index('execution_agent_idx', ['tenantId', 'agentId', 'id'])
@Index('execution_agent_status_idx', ['tenantId', 'agentId', 'status', 'id'], {
  where: `"status" IN ('requires_action', 'completed', 'incomplete', 'failed', 'cancelled')`,
})
@Index('execution_agent_version_idx', ['tenantId', 'agentId', 'agentVersion', 'id'], {
  where: `"status" IN ('completed', 'incomplete', 'failed', 'cancelled')`,
})
// Expression indexes, which decorators cannot describe.
@Index('execution_error_idx', { synchronize: false })
@Index('execution_cost_idx', { synchronize: false })
@Index('execution_duration_idx', { synchronize: false })
@Index('execution_input_idx', { synchronize: false })
// GIN index, which decorators cannot describe.
@Index('execution_metadata_idx', { synchronize: false })
// Expression index, which decorators cannot describe.
@Index('execution_executor_idx', { synchronize: false })
@Check(
  'execution_status_check',
  `"status" IN ('queued', 'running', 'requires_action', 'completed', 'incomplete', 'failed', 'cancelled')`,
)
export class ExecutionEntity {
  /** UUID version 7, which sorts by time of acceptance. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @ForeignKey(() => AgentEntity, { onDelete: 'RESTRICT' })
  @Column('integer', { name: 'agent_id' })
  agentId!: number;

  /** Agent version at the acceptance. Null for executions of releases without versions. */
  @Column('integer', { name: 'agent_version', nullable: true })
  agentVersion!: number | null;

  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE' })
  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  @Column('integer', { name: 'turn_number' })
  turnNumber!: number;

  @Column('text', { default: 'queued' })
  status!: ExecutionStatus;

  /** Time since which all earlier turns of its session are settled; null before. Maintained by triggers. */
  @Column('timestamptz', { name: 'head_since', nullable: true })
  headSince!: Date | null;

  @Column('jsonb')
  request!: KeptRequest;

  @Column('jsonb', { default: {} })
  metadata!: Record<string, string>;

  /** Number of claims, without those that only waited. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** Consecutive attempts lost without an outcome and without a new fact: their worker died, hung or was cut off. */
  @Column('integer', { name: 'lost_attempts', default: 0 })
  lostAttempts!: number;

  /** Epoch of the latest lost attempt. */
  @Column('integer', { name: 'lost_epoch', nullable: true })
  lostEpoch!: number | null;

  /** Crashes while running isolated. */
  @Column('integer', { name: 'isolated_deaths', default: 0 })
  isolatedDeaths!: number;

  /** Earliest time of the next attempt; null for at once. */
  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt!: Date | null;

  /**
   * Increases with each claim and identifies attempts in reports and in the journal. A value may recur after the database
   * lost its latest commits.
   */
  @Column('integer', { default: 0 })
  epoch!: number;

  /** Fencing token: random for each claim; writes under another token have no effect. */
  @Column('uuid', { name: 'claim_token', nullable: true })
  claimToken!: string | null;

  @Column('text', { name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  /** Its latest attempts, in their order; null if none was recorded. */
  @Column('jsonb', { nullable: true })
  attempts!: AttemptRecord[] | null;

  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt!: Date | null;

  /** Time at which its job was last sent to the queue; null while it waits to be sent. */
  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  dispatchedAt!: Date | null;

  /** Deadline, waits included; null before the first claim and while it waits for a person. */
  @Column('timestamptz', { name: 'deadline_at', nullable: true })
  deadlineAt!: Date | null;

  /** Last recorded wait; the status decides which part of it is shown. */
  @Column('jsonb', { name: 'waiting_for', nullable: true })
  waitingFor!: WaitingFor | null;

  /** Milliseconds by which waits for tool servers have extended the deadline (`wait_for_tools_seconds`). */
  @Column('integer', { name: 'waited_for_tools_ms', default: 0 })
  waitedForToolsMs!: number;

  /** Time of the cancellation request. */
  @Column('timestamptz', { name: 'cancel_requested_at', nullable: true })
  cancelRequestedAt!: Date | null;

  /** Tool calls that wait for a person's decision. */
  @Column('jsonb', { name: 'pending_calls', nullable: true })
  pendingCalls!: PendingCall[] | null;

  /** Time after which those calls count as refused. */
  @Column('timestamptz', { name: 'approval_expires_at', nullable: true })
  approvalExpiresAt!: Date | null;

  /** Time at which a person had not decided in time, the latest one; null: it never happened. */
  @Column('timestamptz', { name: 'approval_expired_at', nullable: true })
  approvalExpiredAt!: Date | null;

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

  /** Engine session of its messages; null if it left none (S4-27). */
  @Column('text', { name: 'engine_session_id', nullable: true })
  engineSessionId!: string | null;

  /** Number of answers of its model, without sub-agents (S4-27). */
  @Column('integer', { name: 'num_turns', nullable: true })
  numTurns!: number | null;

  /** Internal notes of the agent, not shown to users (S2-25). */
  @Column('jsonb', { name: 'working_memory', nullable: true })
  workingMemory!: JsonObject | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Null until an attempt had loaded all of its tools. */
  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  /** Latest database restore while the execution was unsettled; null for none. */
  @Column('timestamptz', { name: 'restored_at', nullable: true })
  restoredAt!: Date | null;
}
