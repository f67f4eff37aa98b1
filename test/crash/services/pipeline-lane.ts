import type { QueueBackend } from '../../support/services/deployment.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import { CrashLane } from './crash-lane.js';
import type { RecordedCall } from './effect-server.js';
import type { FailpointBoard, Trap } from './failpoint-board.js';
import { openWhole } from '../../support/services/open-whole.js';
import { scriptedAs } from './scripted-as.js';

const ITEM_SCHEMA = {
  type: 'object',
  properties: { item: { type: 'string' } },
  required: ['item'],
  additionalProperties: false,
};
const watched = (item: string) => ({ item, delay_ms: null, fail: null });

/** The steps: a model that has to answer twice, a tool of each effect, and a model that calls an unsafe tool. */
const STEPS = [
  {
    name: 'extract',
    kind: 'llm',
    prompt: `${scriptedAs('extract', [{ text: 'none' }, { text: '{"item": "roma"}' }])}\n{{/input}}`,
    tools: [],
    output_schema: ITEM_SCHEMA,
  },
  { name: 'find', kind: 'tool', tool: WATCHED_TOOLS.read, arguments: watched('{{/steps/extract/item}}') },
  {
    name: 'put',
    kind: 'tool',
    tool: WATCHED_TOOLS.idempotent,
    arguments: watched('{{/steps/extract/item}}'),
  },
  { name: 'pay', kind: 'tool', tool: WATCHED_TOOLS.unsafe, arguments: watched('{{/steps/put/message}}') },
  {
    name: 'draft',
    kind: 'llm',
    prompt: `${scriptedAs('draft', [
      { calls: [{ name: WATCHED_TOOLS.unsafe, arguments: watched('drafted') }] },
      { text: 'the draft' },
    ])}\n{{/steps/pay/message}}`,
    tools: [WATCHED_TOOLS.unsafe],
  },
];
/** The names of the tool calls within the execution. */
export const CALLS = { find: '2.0', put: '3.0', pay: '4.0', draft: '5.0:1.0' } as const;

/** A lane with an agent of five steps. */
export class PipelineLane {
  private constructor(
    private readonly lane: CrashLane,
    private readonly agentId: number,
  ) {}

  static open(backend: QueueBackend): Promise<PipelineLane> {
    return openWhole(async (begun) => {
      const lane = begun(await CrashLane.open(backend));
      // The API does not know the watched tools, so the agent is written to the database.
      const { rows } = await lane.database.query<{ id: number }>(
        `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, config, tools)
       SELECT tenant_id, 'Steps', 'CUSTOM', llm_id, $1, $2 FROM agent WHERE id = 1 RETURNING id`,
        [JSON.stringify({ steps: STEPS }), JSON.stringify({ builtin: Object.values(WATCHED_TOOLS) })],
      );
      return new PipelineLane(lane, rows[0]?.id ?? 0);
    });
  }

  get board(): FailpointBoard {
    return this.lane.board;
  }

  async ask(input: string): Promise<string> {
    return (await this.lane.submit({ input }, this.agentId)).id;
  }

  /** Kills the process that is held at the failpoint, after its successor has started. */
  async killAt(trap: Trap): Promise<void> {
    for (const { process } of await this.lane.freezeAndReplace(await trap.catch(1))) await process.kill();
    this.lane.board.disarm(trap);
  }

  settled(id: string) {
    return this.lane.api.settled(id);
  }

  /** The requests of one call, such as `4.0`, in the order of arrival. */
  callsOf(id: string, call: string): RecordedCall[] {
    return this.lane.effects.callsOf(id).filter(({ callKey }) => callKey === `${id}.${call}`);
  }

  /** All tool calls that arrived. */
  allCallsOf(id: string): RecordedCall[] {
    return this.lane.effects.callsOf(id);
  }

  /** The settled steps in the journal, such as `extract succeeded`. */
  async stepsOf(id: string): Promise<string[]> {
    const { rows } = await this.lane.database.query<{ step: string }>(
      `SELECT (data ->> 'step') || ' ' || (data -> 'outcome' ->> 'status') AS step FROM journal_entry
        WHERE execution_id = $1 AND kind = 'step_settled' ORDER BY sequence`,
      [id],
    );
    return rows.map(({ step }) => step);
  }

  /** The number of audit rows that are still `started`. */
  async openRows(id: string): Promise<number> {
    const { rows } = await this.lane.database.query(
      `SELECT 1 FROM run_step WHERE execution_id = $1 AND status = 'started'`,
      [id],
    );
    return rows.length;
  }

  close(): Promise<void> {
    return this.lane.close();
  }
}
