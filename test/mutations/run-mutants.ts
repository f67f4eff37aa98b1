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

/**
 * Makes every mistake once, in copies of the sources, and runs its specs there; the checkout stays as it is. All of them
 * share one PostgreSQL and one Redis. A spec that fails without any mistake proves nothing: its mutants are broken.
 */
export async function runMutants(
  root: string,
  mutants: readonly Mutant[],
  jobs: number,
  report: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const copies = Array.from({ length: Math.min(jobs, mutants.length) }, () => copySources(root));
  process.on('exit', () => {
    for (const copy of copies) copy.remove();
  });
  const stopServices = mutants.some(needsServices) ? await startServices(copies[0] as SourceCopy) : null;
  try {
    const waiting = [...mutants];
    const unmutated = new Unmutated();
    const outcomes: Outcome[] = [];
    await Promise.all(
      copies.map(async (copy) => {
        for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
          const outcome = await runMutant(copy, mutant, unmutated);
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

/** Without a mistake nothing may fail: otherwise every mistake would seem to be noticed. Each spec is asked once. */
class Unmutated {
  private readonly faults = new Map<string, Promise<string | null>>();

  /** Why a mutant of these specs could prove nothing; null where all of them pass in this copy, which has no mistake. */
  async faultOf(copy: SourceCopy, specs: readonly string[]): Promise<string | null> {
    for (const spec of specs) {
      const asked = this.faults.get(spec) ?? faultWithoutMistake(copy, spec);
      this.faults.set(spec, asked);
      const fault = await asked;
      if (fault !== null) return `fails without any mistake: ${fault}`;
    }
    return null;
  }
}

async function faultWithoutMistake({ folder }: SourceCopy, spec: string): Promise<string | null> {
  const answer = await runJest(folder, [spec]);
  if (typeof answer === 'string') return answer;
  const { kind, detail } = judgeReport({ row: '', file: '', find: '', replace: '', why: '', spec }, answer);
  return kind === 'survived' ? null : detail;
}

async function runMutant(copy: SourceCopy, mutant: Mutant, unmutated: Unmutated): Promise<Outcome> {
  const startedAt = performance.now();
  const fault = await unmutated.faultOf(copy, specsOf(mutant));
  const { kind, detail } =
    fault === null ? await judgeMutant(copy, mutant) : { kind: 'broken' as const, detail: fault };
  return { mutant, kind, detail, seconds: (performance.now() - startedAt) / 1000 };
}

async function judgeMutant(copy: SourceCopy, mutant: Mutant): Promise<Pick<Outcome, 'kind' | 'detail'>> {
  const source = copy.read(mutant.file);
  const mutated = applyMutant(source, mutant);
  if (mutated === null) return { kind: 'does-not-apply', detail: 'its text is not in the file exactly once' };
  copy.write(mutant.file, mutated);
  try {
    const verdict = await judgeOnce(copy, mutant);
    // A busy machine lets a wait end as well, but hardly twice.
    return verdict.isByWaiting ? await judgeOnce(copy, mutant) : verdict;
  } finally {
    copy.write(mutant.file, source);
  }
}

async function judgeOnce(copy: SourceCopy, mutant: Mutant): Promise<Verdict> {
  const answer = await runJest(copy.folder, specsOf(mutant));
  return typeof answer === 'string' ? { kind: 'broken', detail: answer } : judgeReport(mutant, answer);
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
