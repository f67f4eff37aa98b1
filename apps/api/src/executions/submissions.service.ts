import { Injectable } from '@nestjs/common';
import {
  findRepeatable,
  SubmitExecution,
  type NewExecutionWebhook,
  type Submission,
  type Submitted,
} from '#libs/executions';
import type { ExecuteRequest, ExecutionView } from '#libs/payloads';
import { ExecutionStore, type SubmissionGrounds } from '#libs/persistence';
import type { TenantSettings } from '#libs/policy';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';
import { InvalidRequestError } from '../http/request-errors.js';
import { agentNotFound } from '../agents/agents.faults.js';
import { AttachedFiles } from './attached-files.js';
import { CheckSubmission, requireStanding } from './executions.checks.js';
import type { RetryRequestDto } from './executions.dto.js';
import {
  alreadyCompleted,
  executionNotFound,
  filesGone,
  notSettled,
  submissionRefused,
  tokensGone,
} from './executions.faults.js';
import { KeptGrounds } from './kept-grounds.js';
import { withCurrentData } from './with-current-data.js';

type Limits = TenantSettings['limits'];

/** How often a request is judged again because of what has changed meanwhile. */
const MOST_ATTEMPTS = 5;

/** A request to run an agent. */
export interface ExecuteCommand {
  readonly tenantId: string;
  readonly agentId: number;
  readonly request: ExecuteRequest;
  readonly idempotency: Submission['idempotency'];
  /** Id of the execution, if the caller subscribed to its events already. */
  readonly executionId?: string | undefined;
}

/** An execution, and whether it was accepted before under the same idempotency key. */
export interface AcceptedSubmission {
  readonly view: ExecutionView;
  readonly isReplayed: boolean;
}

/** Accepts executions, new ones and repetitions of settled ones. Each refusal is an error of the catalogue. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly grounds: KeptGrounds,
    private readonly checkSubmission: CheckSubmission,
    private readonly attachedFiles: AttachedFiles,
    private readonly submitExecution: SubmitExecution,
    private readonly executions: ExecutionStore,
    private readonly webhookSecrets: WebhookSecretKeeper,
  ) {}

  /**
   * The execution as accepted, or as it is now when this request came before under the same idempotency key. Judged by what
   * is kept of the agent, at first: where that says no, or has changed, it is judged again by what is stored.
   */
  async submit(given: ExecuteCommand): Promise<AcceptedSubmission> {
    const resolved = await this.withFiles(given);
    if ('view' in resolved) return resolved;
    const command = resolved;
    const { tenantId, agentId } = command;
    const kept = this.grounds.findKept(tenantId, agentId);
    const submitted = kept && (await this.submitByKept(command, kept));
    return submitted ?? (await this.submitByStored(command));
  }

  /** With what is known of its files; where they are not there any more, what was accepted with them before. */
  private async withFiles(command: ExecuteCommand): Promise<ExecuteCommand | AcceptedSubmission> {
    const { tenantId, request, idempotency } = command;
    try {
      const additional_data = await this.attachedFiles.resolve(tenantId, request.additional_data);
      return { ...command, request: { ...request, additional_data } };
    } catch (error) {
      const earlier = idempotency && (await this.submitExecution.findEarlier({ tenantId, idempotency }));
      if (earlier?.kind === 'submitted') return toAccepted(earlier);
      throw error;
    }
  }

  /** Of a request that is to be run again: it names them as its first execution did. */
  private async requireFiles(tenantId: string, { additional_data: data }: ExecuteRequest): Promise<void> {
    try {
      await this.attachedFiles.resolve(tenantId, data);
    } catch (error) {
      throw error instanceof InvalidRequestError ? filesGone() : error;
    }
  }

  /** Null where what is kept says no, or is no longer so. */
  private async submitByKept(
    command: ExecuteCommand,
    kept: SubmissionGrounds,
  ): Promise<AcceptedSubmission | null> {
    const limits = this.judgeOrNull(command.request, kept);
    if (limits === null) return null;
    const submitted = await this.submitJudged(command, limits, kept.judgedBy);
    return submitted.kind === 'outdated' ? null : toAccepted(submitted);
  }

  private async submitByStored(command: ExecuteCommand): Promise<AcceptedSubmission> {
    for (let attempt = 1; ; attempt += 1) {
      const grounds = await this.grounds.read(command.tenantId, command.agentId);
      if (grounds === null) throw agentNotFound();
      const limits = this.judge(command.request, grounds);
      // Where it changes again and again, what was read last decides.
      const judgedBy = attempt < MOST_ATTEMPTS ? grounds.judgedBy : null;
      const submitted = await this.submitJudged(command, limits, judgedBy);
      if (submitted.kind !== 'outdated') return toAccepted(submitted);
    }
  }

  private judgeOrNull(request: ExecuteRequest, kept: SubmissionGrounds): Limits | null {
    try {
      return this.judge(request, kept);
    } catch {
      return null;
    }
  }

  /** Answers the limits of the tenant; throws what is wrong with the request. */
  private judge(request: ExecuteRequest, grounds: SubmissionGrounds): Limits {
    const limits = requireStanding(grounds, request);
    this.checkSubmission.execute(grounds, request);
    return limits;
  }

  private submitJudged(
    { tenantId, agentId, request, idempotency, executionId }: ExecuteCommand,
    { queued_executions: mostQueued }: Limits,
    judgedBy: Submission['judgedBy'],
  ): Promise<Submitted> {
    const { webhook: given, ...rest } = request;
    const webhook = given === undefined ? null : this.toNewWebhook(tenantId, given);
    return this.submitExecution.execute({
      ...{ tenantId, agentId, request: rest, webhook, idempotency, executionId, mostQueued, judgedBy },
    });
  }

  /**
   * Submits the request of a settled execution again, as the next turn of its conversation; the old one stays as it is.
   * Under an idempotency key that came before: the execution that it made. Throws `NOT_FOUND`, `NOT_SETTLED`,
   * `ALREADY_COMPLETED` unless that is meant, and `TOKENS_EXPIRED` where tokens that it had are not given again.
   */
  async retry(
    tenantId: string,
    executionId: string,
    { tokens = {}, even_if_completed: isMeant }: RetryRequestDto,
    idempotency: Submission['idempotency'],
  ): Promise<AcceptedSubmission> {
    const earlier = idempotency && (await this.submitExecution.findEarlier({ tenantId, idempotency }));
    if (earlier !== null && earlier.kind !== 'outdated') return toAccepted(earlier);
    const past = await findRepeatable(this.executions, tenantId, executionId);
    if (past.kind === 'not_found') throw executionNotFound();
    if (past.kind === 'not_settled') throw notSettled();
    if (past.isCompleted && !isMeant) throw alreadyCompleted();
    const gone = past.tokenNames.filter((name) => !Object.hasOwn(tokens, name));
    if (gone.length > 0) throw tokensGone(gone);
    const request = { ...past.request, tokens };
    await this.requireFiles(tenantId, request);
    return this.submit({ tenantId, agentId: past.agentId, request, idempotency });
  }

  /** With a secret to sign it, in case that the tenant has none yet; one that is not needed is forgotten. */
  private toNewWebhook(
    tenantId: string,
    webhook: NonNullable<ExecuteRequest['webhook']>,
  ): NewExecutionWebhook {
    return { ...webhook, firstSecretSealed: this.webhookSecrets.make(tenantId).seal(null) };
  }
}

function toAccepted(submitted: Exclude<Submitted, { kind: 'outdated' }>): AcceptedSubmission {
  if (submitted.kind === 'submitted') return { ...submitted, view: withCurrentData(submitted.view) };
  throw submissionRefused(submitted);
}
