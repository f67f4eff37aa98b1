import { performance } from 'node:perf_hooks';
import { unlessAborted } from '#libs/concurrency';
import { isJsonObject, type JsonObject } from '#libs/kernel';
import type { ToolServerProbe, ToolTrialAnswer } from '#libs/payloads';
import type { ListedTool, SealedToolServer, ToolTrial } from '#libs/persistence';
import {
  fillCredentials,
  offerServerTool,
  openServer,
  type ServerAccess,
  type ToolServerDrivers,
} from '#libs/tool-sources';
import {
  FAILED_CALL_TEXT,
  evaluateToolCall,
  maxOutputBytesOf,
  mayHaveTakenEffect,
  PassingFailure,
  readToolReturn,
  ToolCatalogue,
  ToolServerFailure,
  UNKNOWN_OUTCOME_TEXT,
  unknownToolText,
  UNREADABLE_RETURN_TEXT,
  type CompileReader,
  type OpenedServer,
  type ServerTool,
  type ToolDefinition,
  type ToolServer,
} from '#libs/tooling';

export interface TryToolDependencies {
  /** Claims the trial; null if another worker has claimed it or it was deleted. */
  readonly take: (tenantId: string, trialId: string) => Promise<ToolTrial | null>;
  readonly finish: (tenantId: string, trialId: string, answer: JsonObject) => Promise<void>;
  /** Finds the server regardless of its status. */
  readonly findServer: (tenantId: string, serverId: string) => Promise<SealedToolServer | null>;
  readonly openSecrets: (row: SealedToolServer) => ToolServer;
  readonly openTokens: (trial: ToolTrial) => Readonly<Record<string, string>>;
  readonly drivers: ToolServerDrivers;
  readonly access: Pick<ServerAccess, 'to'>;
  readonly writeListing: (server: ToolServer, tools: readonly ListedTool[]) => Promise<void>;
  readonly compileReader: CompileReader;
  readonly onError: (error: unknown, trial: ToolTrial) => void;
}

/** Tests a tool server or one of its tools with a real call, in the environment of executions. */
export class TryTool {
  constructor(private readonly deps: TryToolDependencies) {}

  /** Resolves once the answer is stored; at once if there is no such trial. */
  async execute(tenantId: string, trialId: string): Promise<void> {
    const trial = await this.deps.take(tenantId, trialId);
    if (trial === null) return;
    const answer = trial.toolName === null ? await this.probe(trial) : await this.call(trial, trial.toolName);
    await this.deps.finish(tenantId, trialId, answer);
  }

  private async probe(trial: ToolTrial): Promise<ToolServerProbe> {
    const began = performance.now();
    const took = () => Math.round(performance.now() - began);
    try {
      const { server, opened, warnings } = await this.open(trial);
      const latency_ms = took();
      await opened.close();
      const tools = opened.tools.flatMap((tool) => this.listed(server, tool));
      await this.deps.writeListing(server, tools);
      return { ok: true, fault: null, message: null, latency_ms, tools, warnings };
    } catch (error) {
      if (!(error instanceof ToolServerFailure)) throw error;
      this.deps.onError(error, trial);
      const { fault, message } = error;
      return { ok: false, fault, message, latency_ms: took(), tools: [], warnings: [] };
    }
  }

  private async call(trial: ToolTrial, toolName: string): Promise<ToolTrialAnswer> {
    const began = performance.now();
    const answer = (
      outcome: ToolTrialAnswer['outcome'],
      output: string,
      warnings: string[] = [],
    ): ToolTrialAnswer => ({
      ...{ outcome, output, warnings },
      duration_ms: Math.round(performance.now() - began),
    });
    try {
      const { server, opened, warnings } = await this.open(trial);
      try {
        const tool = opened.tools
          .map((offered) => offerServerTool(server, offered))
          .find((offered) => offered?.name === toolName);
        if (!tool) return answer('refused', unknownToolText(toolName), warnings);
        const verdict = evaluateToolCall(
          { toolName, arguments: JSON.stringify(trial.input ?? {}) },
          new ToolCatalogue([tool], this.deps.compileReader),
        );
        if (verdict.kind === 'refuse') return answer('refused', verdict.output, warnings);
        const { outcome, output } = await this.run(trial, tool, verdict.input);
        return answer(outcome, output, warnings);
      } finally {
        await opened.close();
      }
    } catch (error) {
      if (!(error instanceof ToolServerFailure)) throw error;
      this.deps.onError(error, trial);
      return answer('refused', error.message);
    }
  }

  private async run(
    trial: ToolTrial,
    tool: ToolDefinition,
    input: unknown,
  ): Promise<Pick<ToolTrialAnswer, 'outcome' | 'output'>> {
    const { id, tenantId } = trial;
    const signal = AbortSignal.timeout(tool.timeoutMs);
    let returned: unknown;
    try {
      const running = tool.run(input, {
        ...{ tenantId, executionId: id, sessionId: id, scope: '', executor: null },
        ...{ idempotencyKey: id, signal, events: { progress: () => undefined } },
      });
      returned = await unlessAborted(running, signal, tooLong);
    } catch (error) {
      this.deps.onError(error, trial);
      const isUnknown = tool.effect === 'unsafe' && (signal.aborted || mayHaveTakenEffect(error));
      if (isUnknown) return { outcome: 'outcome_unknown', output: UNKNOWN_OUTCOME_TEXT };
      const isSaid = error instanceof PassingFailure;
      const output = isSaid ? readToolReturn(error.answer, maxOutputBytesOf(tool)).output : FAILED_CALL_TEXT;
      return { outcome: 'failed', output };
    }
    try {
      return { outcome: 'succeeded', output: readToolReturn(returned, maxOutputBytesOf(tool)).output };
    } catch (error) {
      this.deps.onError(error, trial);
      return { outcome: 'succeeded', output: UNREADABLE_RETURN_TEXT };
    }
  }

  private async open(
    trial: ToolTrial,
  ): Promise<{ server: ToolServer; opened: OpenedServer; warnings: string[] }> {
    const row = await this.deps.findServer(trial.tenantId, trial.serverId);
    if (row === null) throw new ToolServerFailure('unsupported', 'the tool server has been deleted since');
    const server = this.deps.openSecrets(row);
    const access = this.deps.access.to(server, trial.userId === null ? null : { user_id: trial.userId });
    const filled = fillCredentials(server, this.deps.openTokens(trial));
    const credentials = { ...filled, ...(access !== null && { access }) };
    const signal = new AbortController().signal;
    const opened = await openServer(this.deps.drivers, server, credentials, null, signal);
    const lacking = credentials.missing.map(
      (token) => `no value for the token ${token}; what needs it is not sent`,
    );
    return { server, opened, warnings: [...lacking, ...opened.warnings] };
  }

  private listed(server: ToolServer, tool: ServerTool): ListedTool[] {
    const offered = offerServerTool(server, tool);
    if (offered === null || !isJsonObject(offered.inputSchema)) return [];
    const { name, description, effect, approval, inputSchema: input_schema } = offered;
    return [{ name, tool: tool.name, description, effect, approval: approval === 'always', input_schema }];
  }
}

function tooLong(): Error {
  return new Error('the tool took too long');
}
