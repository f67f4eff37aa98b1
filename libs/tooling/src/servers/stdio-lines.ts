/** A command line that the operator permits. */
export interface PermittedLine {
  /** Null permits every tenant. */
  readonly tenantId: string | null;
  readonly command: string;
  readonly args: readonly string[];
  /** True if tenants may append arguments. */
  readonly isOpen: boolean;
}

/** True if the tenant may start a server with this command line. */
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

/** Describes the tenant's permitted command lines. */
export function describeLines(lines: readonly PermittedLine[], tenantId: string): readonly string[] {
  return linesOf(lines, tenantId).map(({ command, args, isOpen }) =>
    [command, ...args, ...(isOpen ? ['*'] : [])].join(' '),
  );
}

function linesOf(lines: readonly PermittedLine[], tenantId: string): readonly PermittedLine[] {
  return lines.filter((line) => line.tenantId === null || line.tenantId === tenantId);
}
