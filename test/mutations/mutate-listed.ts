import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { MUTANTS } from './mutants.js';
import type { Mutant } from './mutant.js';
import { runMutants, type Outcome } from './run-mutants.js';

const USAGE = `usage: npm run mutate:listed -- [--row S4,S3-2] [--file part/of/a/path,…] [--draw N [--seed TEXT]] [--jobs N]
  --row   only mistakes of these rows, or of all rows of these documents
  --file  only mistakes in files whose path holds one of these texts
  --draw  only N of them, chosen by the seed, 1 by default
  --jobs  so many at the same time, 1 by default`;

/** Runs the mutants that the arguments select, prints their outcomes, and returns the exit code. */
export async function mutateListed(args: readonly string[], root: string): Promise<number> {
  const options = readOptions(args);
  if (options === null) {
    console.error(USAGE);
    return 2;
  }
  const matching = MUTANTS.filter((mutant) => isChosen(mutant, options));
  const chosen = options.draw === null ? matching : draw(matching, options.draw, options.seed);
  if (chosen.length === 0) {
    console.error('No mutant is like that.');
    return 2;
  }
  const outcomes = await runMutants(root, chosen, options.jobs, (outcome) => {
    console.log(describe(outcome));
  });
  const count = (kind: Outcome['kind']): number => outcomes.filter((outcome) => outcome.kind === kind).length;
  console.log(
    `${outcomes.length} mutants: ${count('killed')} killed, ${count('survived')} survived, ` +
      `${count('broken')} broken, ${count('does-not-apply')} do not apply`,
  );
  return count('killed') === outcomes.length ? 0 : 1;
}

interface Options {
  readonly row: string | undefined;
  readonly file: string | undefined;
  readonly draw: number | null;
  readonly seed: string;
  readonly jobs: number;
}

function readOptions(args: readonly string[]): Options | null {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      args: [...args],
      options: {
        row: text,
        file: text,
        draw: text,
        seed: { ...text, default: '1' },
        jobs: { ...text, default: '1' },
      },
    });
    const { row, file, seed } = values;
    const draw = values.draw === undefined ? null : Number(values.draw);
    const jobs = Number(values.jobs);
    const isValid = [draw ?? 1, jobs].every((count) => Number.isInteger(count) && count > 0);
    return isValid ? { row, file, draw, seed, jobs } : null;
  } catch {
    return null;
  }
}

function isChosen(mutant: Mutant, { row, file }: Options): boolean {
  const isRow =
    row === undefined ||
    row.split(',').some((wanted) => mutant.row === wanted || mutant.row.startsWith(`${wanted}-`));
  return isRow && (file === undefined || file.split(',').some((part) => mutant.file.includes(part)));
}

/** Chooses `count` of them by a hash of the seed and of their texts, the same for the same seed. */
function draw(mutants: readonly Mutant[], count: number, seed: string): readonly Mutant[] {
  const place = ({ file, find, replace }: Mutant): string =>
    createHash('sha256').update([seed, file, find, replace].join('\n')).digest('hex');
  return mutants.toSorted((one, other) => (place(one) < place(other) ? -1 : 1)).slice(0, count);
}

function describe({ mutant, kind, detail, seconds }: Outcome): string {
  const line = `${kind.padEnd(8)} ${mutant.row.padEnd(6)} ${mutant.file}: ${mutant.why} (${seconds.toFixed(0)} s)`;
  return kind === 'killed' ? `${line}\n         by ${detail}` : `${line}\n         ${firstLines(detail)}`;
}

/** Cuts off the stack, which says nothing about a test. */
function firstLines(text: string): string {
  return text.split('\n').slice(0, 8).join('\n');
}
