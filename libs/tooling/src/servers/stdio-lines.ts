/** A command line that the operator permits. */
export interface PermittedLine {
  /** Null: for every tenant. */
  readonly tenantId: string | null;
  readonly command: string;
  readonly args: readonly string[];
  /** Whether a tenant may add arguments behind these. */
  readonly isOpen: boolean;
}

/** Whether a tenant may have a server started with this command line. */
export function mayRunLine(
  lines: readonly PermittedLine[],
  tenantId: string,
  { command, args }: Pick<PermittedLine, 'command' | 'args'>,
): boolean {
  return linesOf(lines, tenantId).some(
    (line) =>
      line.command === command &&
      (line.isOpen ? args.length >= line.args.length : args.length === line.args.length) &&
      line.args.every((arg, at) => arg === args[at]),
  );
}

/** The command lines of a tenant in words. */
export function describeLines(lines: readonly PermittedLine[], tenantId: string): readonly string[] {
  return linesOf(lines, tenantId).map(({ command, args, isOpen }) =>
    [command, ...args, ...(isOpen ? ['*'] : [])].join(' '),
  );
}

function linesOf(lines: readonly PermittedLine[], tenantId: string): readonly PermittedLine[] {
  return lines.filter((line) => line.tenantId === null || line.tenantId === tenantId);
}
