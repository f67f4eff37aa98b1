import { join } from 'node:path';
import { applyMutant } from './apply-mutant.js';
import { judgeReport, type Verdict } from './judge-report.js';
import { specsOf, type Mutant } from './mutant.js';
import { runJest } from './run-jest.js';
import { copySources, type SourceCopy } from './source-copy.js';

export interface Outcome {
  readonly mutant: Mutant;
  readonly kind: Verdict['kind'] | 'does-not-apply';
  readonly detail: string;
  readonly seconds: number;
}

/** What every database of a run is cloned from: prepared once, so a mistake in here needs services of its own. */
const PREPARES_DATABASES = /\/migrat|\/seed/;

/**
 * Makes every mistake once, in copies of the sources, and runs its specs there; the checkout stays as it is. All of them
 * share one PostgreSQL and one Redis. Null, with the reason on standard error, where a spec fails without any mistake.
 */
export async function runMutants(
  root: string,
  mutants: readonly Mutant[],
  jobs: number,
  report: (outcome: Outcome) => void,
): Promise<Outcome[] | null> {
  const copies = Array.from({ length: Math.min(jobs, mutants.length) }, () => copySources(root));
  process.on('exit', () => {
    for (const copy of copies) copy.remove();
  });
  const ownServices = { ...process.env };
  const stopServices = mutants.some(needsServices) ? await startServices(copies[0] as SourceCopy) : null;
  try {
    if (!(await areGreen(copies[0] as SourceCopy, mutants))) return null;
    const waiting = [...mutants];
    const outcomes: Outcome[] = [];
    await Promise.all(
      copies.map(async (copy) => {
        for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
          const environment = PREPARES_DATABASES.test(mutant.file) ? ownServices : process.env;
          const outcome = await runMutant(copy, mutant, environment);
          outcomes.push(outcome);
          report(outcome);
        }
      }),
    );
    return outcomes;
  } finally {
    await stopServices?.();
  }
}

/** Without a mistake nothing may fail: otherwise every mistake would seem to be noticed. */
async function areGreen(copy: SourceCopy, mutants: readonly Mutant[]): Promise<boolean> {
  const specs = [...new Set(mutants.flatMap(specsOf))].sort();
  console.log(`Without a mistake: ${specs.length} spec files`);
  const answer = await runJest(copy.folder, specs, process.env);
  if (typeof answer === 'string') {
    console.error(answer);
    return false;
  }
  const unmutated = { row: '', file: '', find: '', replace: '', why: '' };
  const verdicts = specs.map((spec) => judgeReport({ ...unmutated, spec }, answer));
  const faults = verdicts.filter(({ kind }) => kind !== 'survived');
  for (const { detail } of faults) console.error(`Fails without any mistake: ${detail}`);
  return faults.length === 0;
}

async function runMutant(copy: SourceCopy, mutant: Mutant, environment: NodeJS.ProcessEnv): Promise<Outcome> {
  const startedAt = performance.now();
  const verdict = await judgeMutant(copy, mutant, environment);
  return { mutant, ...verdict, seconds: (performance.now() - startedAt) / 1000 };
}

async function judgeMutant(
  copy: SourceCopy,
  mutant: Mutant,
  environment: NodeJS.ProcessEnv,
): Promise<Pick<Outcome, 'kind' | 'detail'>> {
  const source = copy.read(mutant.file);
  const mutated = applyMutant(source, mutant);
  if (mutated === null) return { kind: 'does-not-apply', detail: 'its text is not in the file exactly once' };
  copy.write(mutant.file, mutated);
  try {
    const answer = await runJest(copy.folder, specsOf(mutant), environment);
    return typeof answer === 'string' ? { kind: 'broken', detail: answer } : judgeReport(mutant, answer);
  } finally {
    copy.write(mutant.file, source);
  }
}

function needsServices(mutant: Mutant): boolean {
  return specsOf(mutant).some((spec) => /^test\/(contract|integration)\//.test(spec));
}

/** Those of a run of Jest, once for all runs: it finds them in the environment and leaves them alone. */
async function startServices({ folder }: SourceCopy): Promise<() => Promise<void>> {
  const load = async (name: string): Promise<() => Promise<void>> => {
    const path = join(folder, 'test', 'support', 'services', name);
    return ((await import(path)) as { default: () => Promise<void> }).default;
  };
  const [start, stop] = [await load('global-setup.ts'), await load('global-teardown.ts')];
  await start();
  return stop;
}
