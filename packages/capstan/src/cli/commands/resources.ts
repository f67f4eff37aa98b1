import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Act } from '../act.js';
import { EXIT } from '../exit-codes.js';
import { UsageError } from '../explain-error.js';
import { jsonLine, oneLine } from '../format/plain-text.js';
import { exportResources, toYaml } from '../resources/export-resources.js';
import { KINDS, ResourceRequests, type Kind } from '../resources/kinds.js';
import { orderResources } from '../resources/order-resources.js';
import {
  applyResource,
  findUnknownNames,
  KnownResources,
  planPrune,
  planResources,
  type Step,
} from '../resources/plan-resources.js';
import { readResources, type Declared, type Fault } from '../resources/read-resources.js';
import { textsOf } from '../options.js';
import type { Session } from '../session.js';

interface FilesOptions {
  readonly file: string;
  readonly managedBy: string;
  readonly prune?: boolean;
  readonly dryRun?: boolean;
}

export function addResourceCommands(program: Command, act: Act): void {
  const files = (command: Command): Command =>
    command
      .requiredOption('-f, --file <path>', 'file, or folder with *.yaml, *.yml and *.json')
      .option('--managed-by <set>', 'name of this set of files, which owns what it applies', 'capstan')
      .option(
        '--prune',
        'delete what this set has applied before and no file describes; agents become inactive',
      );
  files(program.command('apply'))
    .description(
      'create and change agents, models, skills, tool servers and datasources as files describe them',
    )
    .option('--dry-run', 'show the plan, and change nothing')
    .action(
      act(async (session, options: FilesOptions) => {
        const planned = await plan(session, options);
        if (planned === null) return EXIT.refused;
        if (options.dryRun === true) return EXIT.done;
        return (await carryOut(session, planned, options.managedBy)) ? EXIT.done : EXIT.refused;
      }),
    );
  files(program.command('diff'))
    .description('show what apply would do')
    .action(
      act(async (session, options: FilesOptions) => {
        const planned = await plan(session, options);
        if (planned === null) return EXIT.refused;
        return planned.steps.every(({ outcome }) => outcome === 'unchanged') ? EXIT.done : EXIT.differs;
      }),
    );
  program
    .command('export')
    .description('write the resources of the service as a file for apply, without secrets')
    .addOption(
      new Option('--kinds <names>', 'kinds, with commas between')
        .argParser(kindsOf)
        .default(KINDS, KINDS.join(',')),
    )
    .action(
      act(async (session, { kinds }: { readonly kinds: readonly Kind[] }) => {
        for await (const resource of exportResources(requestsOf(session), kinds))
          session.surroundings.write(session.isJson ? `${jsonLine(resource)}\n` : toYaml(resource));
        return EXIT.done;
      }),
    );
}

interface Planned {
  readonly resources: readonly Declared[];
  readonly known: KnownResources;
  readonly steps: readonly Step[];
}

/** Reads the files and shows the plan; null where something is wrong, which is shown instead. */
async function plan(session: Session, { file, managedBy, prune }: FilesOptions): Promise<Planned | null> {
  const { environment, readFiles } = session.surroundings;
  const found = await readFiles(file);
  if (found.length === 0) throw new UsageError(`${file} has no *.yaml, *.yml or *.json.`);
  const read = readResources(found, environment);
  const { resources, faults } = orderResources(read.resources);
  if (refuse(session, [...read.faults, ...faults])) return null;
  const requests = requestsOf(session);
  const known = await KnownResources.read(requests);
  if (refuse(session, findUnknownNames(resources, known))) return null;
  const planned = await planResources(resources, requests, known);
  if (refuse(session, planned.faults)) return null;
  const pruned = prune === true ? await planPrune(resources, requests, known, managedBy) : [];
  const steps = [...planned.steps, ...pruned];
  for (const step of steps) show(session, step);
  if (!session.isJson) session.show(null, [sumOf(steps)]);
  return { resources, known, steps };
}

/** Applies the plan in its order; false where the service refuses a part by now. */
async function carryOut(
  session: Session,
  { resources, known, steps }: Planned,
  managedBy: string,
): Promise<boolean> {
  const requests = requestsOf(session);
  for (const resource of resources) {
    const step = await applyResource(resource, requests, known, managedBy);
    if (Array.isArray(step)) return !refuse(session, step);
  }
  for (const { kind, id, outcome } of steps)
    if (outcome === 'deleted' && id !== null) await requests.remove(kind, id);
  if (!session.isJson) session.note('Applied.');
  return true;
}

/** Shows faults, each with its file and line; true where there are some. */
function refuse(session: Session, faults: readonly Fault[]): boolean {
  const { writeError } = session.surroundings;
  for (const fault of faults) {
    const { file, line, field, detail } = fault;
    const text = `${file}:${line}: ${field === '' ? '' : `${field}: `}${detail}`;
    writeError(
      session.isJson ? `${jsonLine({ error: fault })}\n` : `${session.style('red', oneLine(text, 500))}\n`,
    );
  }
  if (faults.length > 0 && !session.isJson) session.note('Nothing was applied.');
  return faults.length > 0;
}

const MARKS = { created: '+', changed: '~', unchanged: '=', deleted: '-' } as const;
const STYLES = { created: 'green', changed: 'yellow', unchanged: 'dim', deleted: 'red' } as const;

function show(session: Session, step: Step): void {
  const { kind, name, outcome, changed_fields: changed } = step;
  const fields = changed.length === 0 ? '' : `: ${changed.join(', ')}`;
  const line = oneLine(`${MARKS[outcome]} ${kind} ${name}${fields}`, 200);
  session.show(step, [session.style(STYLES[outcome], line)]);
}

function sumOf(steps: readonly Step[]): string {
  const count = (outcome: Step['outcome']): number => steps.filter((step) => step.outcome === outcome).length;
  return `${count('created')} to create, ${count('changed')} to change, ${count('deleted')} to delete, ${count('unchanged')} unchanged.`;
}

function requestsOf({ client, signal }: Session): ResourceRequests {
  return new ResourceRequests(client, { signal });
}

function kindsOf(text: string): Kind[] {
  return textsOf(text).map((name) => {
    const kind = KINDS.find((known) => known === name);
    if (kind === undefined) throw new InvalidArgumentError(`A kind is one of ${KINDS.join(', ')}.`);
    return kind;
  });
}
