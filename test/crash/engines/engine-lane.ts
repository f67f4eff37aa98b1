import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ClaudeStandIn } from '../../support/services/claude-stand-in.js';
import { waitFor } from '../../support/services/wait-for.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import { CrashLane } from '../services/crash-lane.js';

/** Milliseconds, somewhat beyond a heartbeat, that an engine may outlive its worker. */
const MAX_LIFE_MS = 10_000;
/** Executions at once; each may hold an engine. */
const PLACES = '12';

export type EngineAgent = 'clerk' | 'writer' | 'switching';

/** A lane whose agents run by a stand-in for the Claude Agent SDK, in processes as the SDK has them. */
export class EngineLane {
  private constructor(
    readonly lane: CrashLane,
    readonly standIn: ClaudeStandIn,
    readonly agents: Readonly<Record<EngineAgent, number>>,
  ) {}

  static async open(): Promise<EngineLane> {
    const standIn = new ClaudeStandIn();
    const lane = await CrashLane.open('postgres', {
      ...{ CLAUDE_AGENT_SDK: standIn.folder, CLAUDE_AGENT_SDK_PROCESSES: PLACES },
      // Engines have their homes there, so that their processes and folders are known by its name.
      ...{ TMPDIR: standIn.folder, MODEL_ALLOW_PRIVATE_HOSTS: 'true' },
    });
    const engine = await addLlm(lane, 'claude_agent_sdk', {
      ...{ claude_agent_key: 'sk-any', claude_agent_base: lane.deployment.simulatorUrl },
    });
    const fallback = await addLlm(lane, 'openai', {
      ...{ openai_api_key: 'sk-any', openai_api_base: `${lane.deployment.simulatorUrl}/v1` },
    });
    const agents = {
      clerk: await addAgent(lane, engine, [WATCHED_TOOLS.read, WATCHED_TOOLS.unsafe]),
      writer: await addAgent(lane, engine, ['write_file']),
      switching: await addAgent(lane, engine, [WATCHED_TOOLS.unsafe], { fallbacks: [fallback] }),
    };
    return new EngineLane(lane, standIn, agents);
  }

  async close(): Promise<void> {
    await this.lane.close();
    this.standIn.close();
  }

  /** Lists processes, by the process table, and folders that engines of ended executions have left. */
  async leftBehind(): Promise<string[]> {
    const isOver = () => this.processes().length + this.folders().length === 0;
    const wait = { description: 'the engines to end', timeoutMs: MAX_LIFE_MS };
    await waitFor(isOver, wait).catch(() => undefined);
    return [...this.processes(), ...this.folders()];
  }

  /** Command lines of the engines and of the programs that run them. */
  processes(): string[] {
    const mark = basename(this.standIn.folder);
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(commandOf)
      .filter((line) => line.includes(mark));
  }

  /** Homes of engines. */
  folders(): string[] {
    return readdirSync(this.standIn.folder).filter((name) => name.startsWith('capstan-claude-'));
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

async function addLlm({ api }: CrashLane, provider: string, credentials: object): Promise<number> {
  const answer = await api.post('/api/llms/', { name: provider, provider, model: 'sim-script', credentials });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: number }).id;
}

/** By SQL, since the API does not know the watched tools. */
async function addAgent(
  { database }: CrashLane,
  llm: number,
  builtin: readonly string[],
  config: object = {},
): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, system_prompt, tools, config)
     SELECT tenant_id, 'by an engine', usecase_type, $1, 'Be brief.', $2, $3 FROM agent WHERE id = 1 RETURNING id`,
    [llm, JSON.stringify({ builtin }), JSON.stringify(config)],
  );
  return rows[0]?.id ?? 0;
}
