import { join } from 'node:path';
import { applyMutant } from './apply-mutant.js';
import { evaluateDoubting, evaluateReport, type Verdict } from './evaluate-report.js';
import { specsOf, type Mutant } from './mutant.js';
import { runJest } from './run-jest.js';
import { copySources, type SourceCopy } from './source-copy.js';
import { UnmutatedSpecs } from './unmutated-specs.js';

export interface Outcome {
  readonly mutant: Mutant;
  readonly kind: Verdict['kind'] | 'does-not-apply';
  readonly detail: string;
  readonly seconds: number;
}

/**
 * Applies each mutant to a copy of the sources and runs its specs there; the checkout stays unchanged. All runs share one
 * PostgreSQL and one Redis. A spec that fails without a mutant proves nothing, so its mutants count as broken.
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
  if (mutants.some(needsServices)) await startServices(copies[0] as SourceCopy);
  const waiting = [...mutants];
  const unmutated = new UnmutatedSpecs();
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
}

async function faultWithoutMistake({ folder }: SourceCopy, spec: string): Promise<string | null> {
  const answer = await runJest(folder, [spec]);
  if (typeof answer === 'string') return answer;
  const { kind, detail } = evaluateReport(
    { row: '', file: '', find: '', replace: '', why: '', spec },
    answer,
  );
  return kind === 'survived' ? null : detail;
}

async function runMutant(copy: SourceCopy, mutant: Mutant, unmutated: UnmutatedSpecs): Promise<Outcome> {
  const startedAt = performance.now();
  const fault = await unmutated.faultOf(specsOf(mutant), (spec) => faultWithoutMistake(copy, spec));
  const { kind, detail } =
    fault === null ? await evaluateMutant(copy, mutant) : { kind: 'broken' as const, detail: fault };
  return { mutant, kind, detail, seconds: (performance.now() - startedAt) / 1000 };
}

async function evaluateMutant(copy: SourceCopy, mutant: Mutant): Promise<Pick<Outcome, 'kind' | 'detail'>> {
  const source = copy.read(mutant.file);
  const mutated = applyMutant(source, mutant);
  if (mutated === null) return { kind: 'does-not-apply', detail: 'its text is not in the file exactly once' };
  copy.write(mutant.file, mutated);
  try {
    return await evaluateDoubting(() => evaluateOnce(copy, mutant));
  } finally {
    copy.write(mutant.file, source);
  }
}

async function evaluateOnce(copy: SourceCopy, mutant: Mutant): Promise<Verdict> {
  const answer = await runJest(copy.folder, specsOf(mutant));
  return typeof answer === 'string' ? { kind: 'broken', detail: answer } : evaluateReport(mutant, answer);
}

function needsServices(mutant: Mutant): boolean {
  return specsOf(mutant).some((spec) => /^test\/(contract|integration)\//.test(spec));
}

/** Starts the services of Jest once for all runs, which find the services in the environment; they end with this process. */
async function startServices({ folder }: SourceCopy): Promise<void> {
  const path = join(folder, 'test', 'support', 'services', 'global-setup.ts');
  const { default: start } = (await import(path)) as { default: () => Promise<void> };
  await start();
}
