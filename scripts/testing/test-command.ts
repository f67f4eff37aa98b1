import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { drawLanes, findLanes, type Lane } from './lanes.ts';
import { dailyStages, EVERY_CASE, laneStages } from './plan.ts';
import { jestCommand } from './run-phase.ts';
import { runStages } from './run-stages.ts';

const USAGE = `npm test                             the tests of every day
npm test -- --seed 7                 in the same order of files as another run
npm test -- <file or jest argument>  some tests, with every case, printed by Jest: -t, --watch, --testPathPatterns …
npm run test:all                     every case of all tests, lane by lane
npm run test:all -- --lane a,b       those lanes
npm run test:all -- --share 8 --draw <text>
                                     lanes of at most 8 minutes, which the text draws`;

/**
 * Runs the selected tests.
 * @returns the exit code: 0 when all passed, 1 when one failed, 2 for unknown arguments, 128 + signal when interrupted
 */
export function testCommand(root: string, args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  if (first === '--all') return runLanes(root, rest);
  if (first === undefined || (first === '--seed' && rest.length === 1)) {
    return runStages(root, dailyStages(args));
  }
  return runJest(root, args);
}

/** Whether tests selected by these arguments may start programs, which have to be built: those beside the code never do. */
export function mayStartPrograms(args: readonly string[]): boolean {
  const files = args.filter((arg) => arg.endsWith('.spec.ts'));
  return files.length === 0 || files.some((file) => /(?:^|\/)test\//.test(file));
}

async function runLanes(root: string, args: readonly string[]): Promise<number> {
  const lanes = findLanes(root);
  const chosen = chooseLanes(lanes, args);
  if (typeof chosen === 'string') {
    process.stderr.write(`${chosen}\n\n${USAGE}\nlanes: ${namesOf(lanes)}\n`);
    return 2;
  }
  process.stdout.write(`lanes: ${namesOf(chosen.lanes)}\n`);
  return runStages(root, laneStages(chosen.lanes, chosen.jestArgs));
}

/** A text is an error message about a wrong argument. */
function chooseLanes(
  all: readonly Lane[],
  args: readonly string[],
): { lanes: readonly Lane[]; jestArgs: string[] } | string {
  const options = {
    lane: { type: 'string', multiple: true },
    share: { type: 'string' },
    draw: { type: 'string' },
    seed: { type: 'string' },
  } as const;
  try {
    const { lane, share, draw, seed } = parseArgs({ args: [...args], options }).values;
    const jestArgs = seed === undefined ? [] : ['--seed', seed];
    if (share !== undefined) {
      const minutes = Number(share);
      if (!(minutes > 0)) return `--share takes minutes, a number over 0; not ${share}`;
      return { lanes: drawLanes(all, draw ?? '', minutes), jestArgs };
    }
    const names = lane?.flatMap((text) => text.split(','));
    const unknown = names?.find((name) => !all.some((known) => known.name === name));
    if (unknown !== undefined) return `there is no lane ${unknown}`;
    return { lanes: all.filter(({ name }) => names?.includes(name) ?? true), jestArgs };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function namesOf(lanes: readonly Lane[]): string {
  return lanes.map(({ name }) => name).join(', ');
}

/** Jest uses the terminal and its own reporters. Two workers, so that `--watch` reloads changed modules. */
function runJest(root: string, args: readonly string[]): Promise<number> {
  const hasWorkers = args.some((arg) => /^(?:--maxWorkers|-w|--runInBand|-i)(?:$|=)/.test(arg));
  const [program, jestArgs] = jestCommand(root, [...(hasWorkers ? [] : ['--maxWorkers=2']), ...args]);
  const child = spawn(program, jestArgs, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...EVERY_CASE },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}
