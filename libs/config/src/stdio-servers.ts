import { z } from 'zod';

/** A permitted command line of a tenant's tool server. */
export interface StdioLine {
  /** Null for every tenant. */
  readonly tenantId: string | null;
  readonly command: string;
  readonly args: readonly string[];
  /** Whether a tenant may append arguments. */
  readonly isOpen: boolean;
}

/** Well-known programs that run tool servers (3.I-11). */
const COMMANDS: ReadonlySet<string> = new Set(['npx', 'node', 'python', 'python3', 'uvx', 'uv']);
const NAMES = [...COMMANDS].join(', ');

const FORM = [
  'a list of tenant: command line, separated by semicolons, with * for every tenant',
  `e.g. acme: npx -y server-memory; each begins with one of ${NAMES}`,
].join(', ');
const NO_PROGRAM =
  'a command line that names its program: none of an interpreter alone, nor one that leaves the program to the tenant';
const ENTRY = /^(?<tenant>\*|[A-Za-z0-9_-]{1,64}):\s*(?<line>\S.*)$/;

/** `acme: npx -y server-memory; *: node /srv/tools.mjs *` */
export const stdioServers = z
  .string()
  .transform((text) => text.split(';').map((entry) => entry.trim()))
  .pipe(z.array(z.string().transform(readEntry)));

function readEntry(text: string, context: z.RefinementCtx<string>): StdioLine {
  const refuse = (message: string): never => {
    context.addIssue({ code: 'custom', message, input: text });
    return z.NEVER;
  };
  const { tenant = '', line = '' } = ENTRY.exec(text)?.groups ?? {};
  const [command = '', ...words] = line.split(/\s+/);
  if (!COMMANDS.has(command)) return refuse(FORM);
  const isOpen = words.at(-1) === '*';
  const args = isOpen ? words.slice(0, -1) : words;
  const last = args.at(-1);
  if (last === undefined || args.every((arg) => arg.startsWith('-')) || (isOpen && last.startsWith('-')))
    return refuse(NO_PROGRAM);
  return { tenantId: tenant === '*' ? null : tenant, command, args, isOpen };
}
