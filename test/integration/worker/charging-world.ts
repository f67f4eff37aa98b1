import type { ModelPort } from '#libs/agent-core';
import { ApprovalStore, type RunStepView } from '#libs/persistence';
import type { RunExecutionDependencies, ApprovalResult, CallDecision } from '#libs/executions';
import type { ExecutionView } from '#libs/payloads';
import type { OnUnknown, ToolDefinition, ToolReturn } from '#libs/tooling';
import { aCall, aModelAnswer } from '../../support/builders/model-answer.js';
import { aTool } from '../../support/builders/tool.js';
import { InMemoryEventStream } from '../../support/fakes/in-memory-event-stream.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { WorkerWorld } from './worker-world.js';

const SCRIPT = [aModelAnswer({ toolCalls: [aCall('charge', 'c1')] }), aModelAnswer({ text: 'Done.' })];
export const RECEIPT: ToolReturn = { result: { status: 'success', result: { message: 'receipt 17' } } };
/** End of an execution with a call that may have taken effect. */
export const UNKNOWN = { status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } };

type Run = (context: Parameters<ToolDefinition['run']>[1]) => Promise<ToolReturn>;

/** The unsafe tool `charge`. */
export function charging(onUnknown: OnUnknown, run: Run, timeoutMs = 5_000): ToolDefinition {
  return aTool('charge', {
    effect: 'unsafe',
    onUnknown,
    timeoutMs,
    run: (_input, context) => run(context),
  });
}

/** The tool `charge` without an answer; it times out after 20 ms. */
export const silent = (): ToolDefinition => charging('ask', () => new Promise(() => undefined), 20);

/** A model that calls `charge` once and then answers. */
export const model = (): ScriptedModel => new ScriptedModel(SCRIPT);

/** Workers with an agent that calls `charge`, on a real database. */
export class ChargingWorld {
  private readonly approvals: ApprovalStore;

  private constructor(readonly worker: WorkerWorld) {
    this.approvals = new ApprovalStore(worker.dataSource);
  }

  static async open(): Promise<ChargingWorld> {
    return new ChargingWorld(await WorkerWorld.open());
  }

  async submit(tool: ToolDefinition): Promise<string> {
    await this.worker.offer([tool]);
    return (await this.worker.submit()).id;
  }

  run(
    id: string,
    tool: ToolDefinition,
    overrides: Partial<RunExecutionDependencies> = {},
    asked: ModelPort = model(),
  ): Promise<ExecutionView> {
    return this.worker.run(id, asked, [tool], overrides);
  }

  /** Lets another worker take over and finish, with an event stream of its own, because events are not under test. */
  async takeOver(id: string, tool: ToolDefinition): Promise<void> {
    await this.worker.expireLease(id);
    await this.run(id, tool, { events: new InMemoryEventStream() });
  }

  /** The tool `charge`: in its first run, another worker takes over and finishes before the tool answers. */
  overtaken(onUnknown: OnUnknown, keys: string[] = []): ToolDefinition {
    const tool = charging(onUnknown, async ({ executionId, idempotencyKey }) => {
      keys.push(idempotencyKey);
      if (keys.length === 1) await this.takeOver(executionId, tool);
      return RECEIPT;
    });
    return tool;
  }

  decide(id: string, ...decisions: CallDecision[]): Promise<ApprovalResult> {
    return this.approvals.decide('default', id, decisions, null);
  }

  expire(): Promise<number> {
    return this.approvals.expire('nobody decided in time');
  }

  steps(id: string): Promise<readonly RunStepView[]> {
    return this.worker.stepsOf(id);
  }

  async evidence(id: string): Promise<RunStepView['late_evidence'][number][]> {
    return (await this.steps(id)).flatMap((step) => [...step.late_evidence]);
  }

  query<T>(sql: string, ...parameters: readonly unknown[]): Promise<T[]> {
    return this.worker.dataSource.query<T[]>(sql, [...parameters]);
  }
}
