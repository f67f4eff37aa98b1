import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ASKED_PROVIDERS } from '../../contract/model/wires.js';
import { DISPLAY_RUNS } from './golden-display-runs.js';
import { ENDING_RUNS } from './golden-ending-runs.js';
import type { GoldenRun } from './golden-run.js';
import { GOLDEN_TOOLS, SECRET_OF_TOOL } from './golden-tools.js';
import { TOOL_RUNS } from './golden-tool-runs.js';
import { messageSequence } from './message-sequence.js';
import { STRATEGIES, StrategyWorld } from './strategy-world.js';

let world: StrategyWorld;
beforeAll(async () => {
  world = await StrategyWorld.open();
});
afterAll(() => world.close());

const RUNS: readonly GoldenRun[] = [...DISPLAY_RUNS, ...TOOL_RUNS, ...ENDING_RUNS];

const METADATA_FIELDS = [
  ...['total_price', 'currency', 'total_tokens', 'prompt_tokens', 'prompt_unit_price', 'prompt_price_unit'],
  ...['prompt_price', 'completion_tokens', 'completion_unit_price', 'completion_price_unit'],
  ...['completion_price', 'latency'],
].toSorted();

/**
 * Both strategies use one engine, and streamed and whole answers report the same contract (S0-12, S0-16, S1-64) with every
 * provider, so only the first provider is tested with both strategies.
 */
const WAYS = ASKED_PROVIDERS.flatMap((provider, index) =>
  STRATEGIES.slice(0, index === 0 ? STRATEGIES.length : 1).flatMap((strategy) => [
    { provider, strategy, way: 'streamed' as const },
    { provider, strategy, way: 'whole' as const },
  ]),
);

describe.each(WAYS)('$strategy by $provider, answers $way (S0-8, S0-16, S1-63, S1-64, S1-76)', (given) => {
  const { provider, strategy, way } = given;

  const runs = RUNS.filter(({ by = [provider] }) => by.includes(provider));

  it.each(runs)('reports: $name', async (run) => {
    const config = { ...run.config, strategy, enable_stream: way === 'streamed' };
    const { id, view, events, requests } = await world.play({ ...run, config, provider }, GOLDEN_TOOLS);
    const reported = 'streamed' in run.reported ? run.reported[way] : run.reported;
    expect(messageSequence(events)).toEqual(['session', 'status running', ...reported, run.result]);

    const answers = await world.journalledAnswers(id);
    const journal = JSON.stringify(answers);
    const open = JSON.stringify(events) + JSON.stringify(view) + ((await world.storedAnswer(id)) ?? '');
    for (const hidden of run.hidden ?? []) expect(open).not.toContain(hidden);
    expect(open).not.toContain(SECRET_OF_TOOL);
    for (const answer of run.answers) {
      if ('text' in answer) expect(journal).toContain(JSON.stringify(answer.text).slice(1, -1));
      if ('reasoning' in answer) expect(journal).toContain(String(answer.reasoning));
    }
    expect(await world.storedAnswer(id)).toBe(view.result?.message.content);
    const { warnings, ...metadata } = view.execution_metadata;
    expect(Object.keys(metadata).toSorted()).toEqual(METADATA_FIELDS);
    expect(warnings).toEqual(run.warnings);
    expect(requests.length).toBeGreaterThanOrEqual(answers.length);
  });
});
