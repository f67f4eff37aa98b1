import { join } from 'node:path';
import { build } from 'esbuild';
import { markdownTable } from './markdown-table.ts';

interface CliOption {
  readonly flags: string;
  readonly description: string;
  readonly hidden: boolean;
  readonly defaultValue?: unknown;
  readonly argChoices?: readonly string[];
}

interface CliArgument {
  readonly description: string;
  readonly argChoices?: readonly string[];
  name(): string;
}

/** The parts of a command of commander that are looked at here. */
export interface CliCommand {
  readonly commands: readonly CliCommand[];
  readonly options: readonly CliOption[];
  readonly registeredArguments: readonly CliArgument[];
  name(): string;
  usage(): string;
  description(): string;
  readonly _hidden?: boolean;
}

interface CliModule {
  readonly makeProgram: (version: string, act: () => () => void) => CliCommand;
  readonly EXIT_MEANINGS: readonly (readonly [number, string])[];
}

const HEAD = `# Command line

Written by \`npm run gen:reference\` from the commands of [\`packages/capstan\`](../../packages/capstan/README.md).

\`CAPSTAN_BASE_URL\` is the address of the service, by default \`http://localhost:3000\`, and \`CAPSTAN_API_KEY\` the key. \`--json\` has every command
answer JSON; lists and events come one item a line, and errors as one line on the error output. Colours are on a terminal only, and not where
\`NO_COLOR\` is set. Texts of models and tools are shown without control characters. Completion: \`source <(capstan completion bash)\`, or \`zsh\`, or \`capstan completion fish | source\`.`;

/** The page of the command line. Pure. */
export function cliPage(program: CliCommand, exits: readonly (readonly [number, string])[]): string {
  return [
    HEAD,
    '## Exit codes',
    markdownTable(
      ['code', 'meaning'],
      exits.map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    '## Options of every command',
    optionTable(program.options),
    ...leavesOf(program, '').map(({ path, command }) => sectionOf(path, command)),
    '',
  ].join('\n\n');
}

/** Bundles the commands, which Node cannot load as they stand. */
export async function loadCommands(root: string): Promise<CliModule> {
  const stdin = {
    contents: `export { makeProgram } from './program.js'; export { EXIT_MEANINGS } from './exit-codes.js';`,
    resolveDir: join(root, 'packages/capstan/src/cli'),
    loader: 'ts',
  } as const;
  const { outputFiles } = await build({
    ...{ stdin, bundle: true, write: false, format: 'esm', platform: 'node' },
    // Commander is CommonJS in parts, which asks for builtins by require.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire('file:///');` },
  });
  const [file] = outputFiles;
  return (await import(`data:text/javascript,${encodeURIComponent(file?.text ?? '')}`)) as CliModule;
}

function leavesOf(command: CliCommand, path: string): { path: string; command: CliCommand }[] {
  const shown = command.commands.filter(({ _hidden }) => _hidden !== true);
  return shown.flatMap((child) => {
    const own = `${path} ${child.name()}`.trim();
    return child.commands.length === 0 ? [{ path: own, command: child }] : leavesOf(child, own);
  });
}

function sectionOf(path: string, command: CliCommand): string {
  const usage = command.usage().replace('[options] ', '').replace('[options]', '').trim();
  const rows = [
    ...command.registeredArguments.map((argument) => [
      `\`<${argument.name()}>\``,
      withChoices(argument.description, argument.argChoices),
    ]),
    ...command.options.map(rowOf),
  ];
  return [
    `## ${path}`,
    `\`capstan ${[path, usage].join(' ').trim()}\`: ${command.description()}.`,
    ...(rows.length === 0 ? [] : [markdownTable(['argument', 'meaning'], rows)]),
  ].join('\n\n');
}

function optionTable(options: readonly CliOption[]): string {
  return markdownTable(['option', 'meaning'], options.map(rowOf));
}

function rowOf({ flags, description, argChoices, defaultValue }: CliOption): string[] {
  const byDefault = defaultValue === undefined ? '' : `; by default \`${JSON.stringify(defaultValue)}\``;
  return [`\`${flags}\``, withChoices(description, argChoices) + byDefault];
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices === undefined
    ? description
    : `${description}: ${choices.map((each) => `\`${each}\``).join(', ')}`;
}
