import type { CrashedCall, CrashReport, TestedOutcome, ToolEffect, ToolReport } from '#libs/kit';
import type { SeenRun } from './effect-recorder.js';

/** A run of the agent from its beginning to its end, with the calls that were in doubt in between. */
export interface FinishedRun {
  readonly outcome: TestedOutcome;
  readonly runs: readonly SeenRun[];
  /** Names of tools and keys of calls whose outcome was unknown. */
  readonly unknown: readonly { readonly tool: string; readonly key: string; readonly input: unknown }[];
}

export interface CrashedRun extends FinishedRun {
  /** As in {@link CrashedCall}. */
  readonly crash: string;
}

export interface DeclaredTool {
  readonly name: string;
  readonly effect: ToolEffect;
}

/** Judges the declared effects of tools by a run without a crash and all runs with one. Pure. */
export function reportCrashes(
  tools: readonly DeclaredTool[],
  calm: FinishedRun,
  crashed: readonly CrashedRun[],
): CrashReport {
  const reports = tools.map((tool) => [tool.name, reportTool(tool, calm, crashed)] as const);
  const outcomes: Partial<Record<TestedOutcome['status'], number>> = {};
  for (const { outcome } of crashed) outcomes[outcome.status] = (outcomes[outcome.status] ?? 0) + 1;
  return {
    crashes: crashed.length,
    outcomes,
    tools: Object.fromEntries(reports),
    faults: reports.flatMap(([name, report]) => findFault(name, report, calm) ?? []),
  };
}

function reportTool(
  { name, effect }: DeclaredTool,
  calm: FinishedRun,
  crashed: readonly CrashedRun[],
): ToolReport {
  const seen = crashed.map((run) => repetitionsOf(name, run));
  return {
    effect,
    effects: runsOf(name, calm).flatMap(({ effects }) => effects).length,
    repeated: seen.flat().length,
    twice: seen.flat().filter(({ effects }) => effects.length > 0),
    unknown: crashed.flatMap((run) => unknownCallsOf(name, run)),
  };
}

/** Second and later runs of a call, with what they added to the effects of the first. */
function repetitionsOf(name: string, run: CrashedRun): CrashedCall[] {
  const begun = new Set<string>();
  return runsOf(name, run).flatMap(({ key, input, effects }) => {
    if (begun.has(key)) return [{ crash: run.crash, input, effects }];
    begun.add(key);
    return [];
  });
}

function unknownCallsOf(name: string, run: CrashedRun): CrashedCall[] {
  return run.unknown
    .filter(({ tool }) => tool === name)
    .map(({ key, input }) => {
      const effects = run.runs.filter((each) => each.key === key).flatMap((each) => each.effects);
      return { crash: run.crash, input, effects };
    });
}

function runsOf(name: string, { runs }: FinishedRun): readonly SeenRun[] {
  return runs.filter(({ tool }) => tool === name);
}

function findFault(name: string, { effect, twice }: ToolReport, calm: FinishedRun): string | null {
  const [changed] = runsOf(name, calm).flatMap(({ effects }) => effects);
  if (effect === 'read' && changed !== undefined)
    return `the tool "${name}" is declared \`read\`, and a call has an effect: ${describe(changed)}`;
  const [doubled] = twice;
  if (doubled === undefined) return null;
  return (
    `the tool "${name}" is declared \`${effect}\`, and a call that ran again after a crash ${doubled.crash} had ` +
    `its effect twice: ${describe(doubled.effects[0])}; pass \`idempotencyKey\` on, or declare it \`unsafe\``
  );
}

/** Characters of an effect that a sentence quotes. */
const MAX_QUOTED = 200;

function describe(effect: unknown): string {
  const text =
    typeof effect === 'string' ? effect : ((JSON.stringify(effect) as string | undefined) ?? String(effect));
  return text.slice(0, MAX_QUOTED);
}
