import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTROLS, EXPECTED, type Control } from './plan/control-plan.js';
import { atPace, PRODUCTION, SCALED, type Times } from './plan/times.js';
import { formatReport } from './report/format-report.js';
import { summarise } from './report/summarise.js';
import { runChaos, type ChaosOptions, type ChaosResult } from './run-chaos.js';

const USAGE = `usage: npm run chaos -- [--minutes N] [--seed N] [--seeds N] [--backend postgres|redis]
                        [--profile scaled|production] [--control ${CONTROLS.join('|')}] [--width N] [--pace N]
                        [--output FOLDER]
  --seeds     so many runs, with the seed and those after it
  --profile   production: leases and everything else last as long as in a deployment that sets nothing
  --control   leave a protection out: succeeds only if the checks notice, in every run
  --width     conversations at the same time, 14 by default
  --pace      so many times as long between two faults, to drain, and for an execution, 1 by default: what is started anew
              every second keeps a slow machine from everything else`;
const TIMELINE_SHOWN = 60;
/** Milliseconds: long enough to show that no process finds lost executions again. */
const CONTROL_DRAIN_LIMIT_MS = 30_000;
const CONTROL_MINUTES = '0.75';

/** Runs chaos by these arguments, prints the reports and returns the exit code. `root`: the folder with `dist`. */
export async function chaosCommand(args: readonly string[], root: string): Promise<number> {
  const runs = readOptions(args, root);
  if (runs === null) {
    console.error(USAGE);
    return 2;
  }
  const verdicts: Verdict[] = [];
  for (const options of runs) verdicts.push(await runOnce(options));
  if (runs.length > 1) for (const { text } of verdicts) console.log(text);
  return verdicts.every(({ isGood }) => isGood) ? 0 : 1;
}

interface Verdict {
  readonly isGood: boolean;
  readonly text: string;
}

async function runOnce(options: ChaosOptions): Promise<Verdict> {
  console.log(`chaos: seed ${options.seed}, output in ${options.outputFolder}`);
  const result = await runChaos(options);
  const summary = summarise(result);
  const report = formatReport(summary, result.violations);
  writeFileSync(join(options.outputFolder, 'report.md'), report);
  writeFileSync(
    join(options.outputFolder, 'report.json'),
    `${JSON.stringify({ ...summary, details: result.violations }, null, 2)}\n`,
  );
  // The input of the checks, to inspect a run or to check it again.
  writeFileSync(join(options.outputFolder, 'world.json'), JSON.stringify(result.world));
  console.log(report);
  const verdict = options.control === null ? evaluate(result) : evaluateControl(result, options.control);
  console.log(verdict.text);
  return verdict;
}

function evaluate({ options, violations }: ChaosResult): Verdict {
  const name = `seed ${options.seed}, ${options.backend}`;
  if (violations.length === 0) return { isGood: true, text: `${name}: every promise held.` };
  return { isGood: false, text: describeFailure(options) };
}

function evaluateControl({ options, violations }: ChaosResult, control: Control): Verdict {
  const found = [...new Set(violations.map(({ invariant }) => invariant))];
  const isGood = EXPECTED[control].some((invariant) => found.includes(invariant));
  const said = `seed ${options.seed}, without ${control}: ${found.join(', ') || 'nothing'}`;
  return {
    isGood,
    text: isGood
      ? `${said}. The checks noticed, as they should.`
      : `${said}. THE CHECKS DID NOT NOTICE: expected ${EXPECTED[control].join(' or ')}.`,
  };
}

function describeFailure({ seed, backend, times, outputFolder }: ChaosOptions): string {
  const file = join(outputFolder, 'timeline.ndjson');
  const timeline = readFileSync(file, 'utf8').trimEnd().split('\n');
  return [
    `FAILED. Repeat with --seed ${seed} --backend ${backend} --profile ${times.name} --pace ${times.pace}. The end of ${file}:`,
    ...timeline.slice(-TIMELINE_SHOWN),
  ].join('\n');
}

function readOptions(args: readonly string[], root: string): ChaosOptions[] | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        seeds: { type: 'string', default: '1' },
        backend: { type: 'string', default: 'postgres' },
        profile: { type: 'string', default: 'scaled' },
        control: { type: 'string' },
        width: { type: 'string', default: '14' },
        pace: { type: 'string', default: '1' },
        output: { type: 'string' },
      },
    });
    const { backend, profile } = values;
    const control = values.control === undefined ? null : CONTROLS.find((name) => name === values.control);
    const minutes = Number(values.minutes ?? (control === null ? '1' : CONTROL_MINUTES));
    const [seed = NaN, seeds = NaN, width] = [values.seed, values.seeds, values.width].map(Number);
    const pace = Number(values.pace);
    if (backend !== 'postgres' && backend !== 'redis') return null;
    if (profile !== 'scaled' && profile !== 'production') return null;
    if (control === undefined || !minutes || !width || !(pace > 0)) return null;
    if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(seeds) || seeds < 1) return null;
    const name = new Date().toISOString().replaceAll(/[:.]/g, '-');
    const output = values.output ?? join(root, '.local', 'chaos', name);
    return Array.from({ length: seeds }, (_, index) => ({
      seed: seed + index,
      backend,
      control,
      width,
      root,
      durationMs: minutes * 60_000,
      times: timesOf(profile, control, pace),
      outputFolder: seeds === 1 ? output : join(output, `seed-${seed + index}`),
    }));
  } catch {
    return null;
  }
}

function timesOf(profile: Times['name'], control: Control | null, pace: number): Times {
  const given = profile === 'production' ? PRODUCTION : SCALED;
  const times = atPace(given, pace);
  return control === null ? times : { ...times, drainLimitMs: CONTROL_DRAIN_LIMIT_MS };
}
