import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatReport } from './report/format-report.js';
import { summarise } from './report/summarise.js';
import { SCALED } from './plan/times.js';
import { runChaos, type ChaosOptions } from './run-chaos.js';

const USAGE = `usage: npm run chaos -- [--minutes N] [--seed N] [--backend postgres|redis] [--control fence|reconciler]
                        [--width N] [--output FOLDER]
  --control   leave a protection out: succeeds only if the checks notice
  --width     conversations at the same time, 14 by default`;
const TIMELINE_SHOWN = 60;
/** Long enough to know that nobody finds what was lost. */
const CONTROL_DRAIN_LIMIT_MS = 30_000;

/** Runs chaos as the arguments say, prints the report, answers the exit code. `root`: the folder with `dist`. */
export async function chaosCommand(args: readonly string[], root: string): Promise<number> {
  const options = readOptions(args, root);
  if (options === null) {
    console.error(USAGE);
    return 2;
  }
  console.log(`chaos: seed ${options.seed}, output in ${options.outputFolder}`);
  const result = await runChaos(options);
  const summary = summarise(result);
  const report = formatReport(summary, result.violations);
  writeFileSync(join(options.outputFolder, 'report.md'), report);
  writeFileSync(
    join(options.outputFolder, 'report.json'),
    `${JSON.stringify({ ...summary, details: result.violations }, null, 2)}\n`,
  );
  console.log(report);
  const hasFailed = result.violations.length > 0;
  if (options.control !== null) {
    console.log(hasFailed ? 'The checks noticed, as they should.' : 'THE CHECKS NOTICED NOTHING.');
    return hasFailed ? 0 : 1;
  }
  if (hasFailed) console.log(describeFailure(options));
  return hasFailed ? 1 : 0;
}

function describeFailure({ seed, backend, outputFolder }: ChaosOptions): string {
  const file = join(outputFolder, 'timeline.ndjson');
  const timeline = readFileSync(file, 'utf8').trimEnd().split('\n');
  return [
    `FAILED. Repeat with --seed ${seed} --backend ${backend}. The end of ${file}:`,
    ...timeline.slice(-TIMELINE_SHOWN),
  ].join('\n');
}

function readOptions(args: readonly string[], root: string): ChaosOptions | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: '1' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        backend: { type: 'string', default: 'postgres' },
        control: { type: 'string' },
        width: { type: 'string', default: '14' },
        output: { type: 'string' },
      },
    });
    const { backend, control = null } = values;
    const [minutes, seed, width] = [values.minutes, values.seed, values.width].map(Number);
    if (backend !== 'postgres' && backend !== 'redis') return null;
    if (control !== null && control !== 'fence' && control !== 'reconciler') return null;
    if (!minutes || !width || seed === undefined || !Number.isSafeInteger(seed)) return null;
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-seed-${seed}`;
    return {
      seed,
      backend,
      control,
      width,
      root,
      durationMs: minutes * 60_000,
      times: control === null ? SCALED : { ...SCALED, drainLimitMs: CONTROL_DRAIN_LIMIT_MS },
      outputFolder: values.output ?? join(root, '.local', 'chaos', name),
    };
  } catch {
    return null;
  }
}
