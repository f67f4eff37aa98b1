import type { ArgumentPlace, FieldWriting, SecurityScheme } from '../operation.js';
import type { OfferedOperation, PreparedService, ServiceEnd } from '../prepare-service.js';

/** One line of JSON in the output of the preparing process. */
type ServiceLine =
  | ({ readonly kind: 'operation' } & OfferedOperation)
  | ({ readonly kind: 'end' } & ServiceEnd)
  /** The description is unusable. */
  | { readonly kind: 'fault'; readonly text: string };

/** Serializes a line, with maps as lists of entries. */
export function writeLine(line: ServiceLine): string {
  if (line.kind === 'fault') return JSON.stringify(line);
  if (line.kind === 'end') return JSON.stringify({ ...line, schemes: [...line.schemes] });
  const { operation, arguments: given } = line;
  const body = operation.body && { ...operation.body, fields: [...operation.body.fields] };
  return JSON.stringify({
    kind: line.kind,
    operation: { ...operation, body },
    arguments: { ...given, places: [...given.places] },
  });
}

/** Inverse of `writeLine`. */
function readLine(text: string): ServiceLine {
  const line = JSON.parse(text) as ServiceLine;
  if (line.kind === 'fault') return line;
  if (line.kind === 'end') return { ...line, schemes: mapOf<SecurityScheme>(line.schemes) };
  const { operation, arguments: given } = line;
  const body = operation.body && { ...operation.body, fields: mapOf<FieldWriting>(operation.body.fields) };
  return {
    kind: line.kind,
    operation: { ...operation, body },
    arguments: { ...given, places: mapOf<ArgumentPlace>(given.places) },
  };
}

/** Assembles a service from lines; null if the last line is missing. */
export class ServiceOfLines {
  private readonly operations: PreparedService['operations'][number][] = [];
  private end: ServiceEnd | null = null;
  private fault: string | null = null;

  add(text: string): void {
    const line = readLine(text);
    if (line.kind === 'operation')
      this.operations.push({ operation: line.operation, arguments: line.arguments });
    else if (line.kind === 'end') this.end = { schemes: line.schemes, warnings: line.warnings };
    else this.fault = line.text;
  }

  get whole(): PreparedService | { readonly fault: string } | null {
    if (this.fault !== null) return { fault: this.fault };
    return this.end && { operations: this.operations, ...this.end };
  }
}

function mapOf<Value>(entries: unknown): ReadonlyMap<string, Value> {
  return new Map(entries as readonly (readonly [string, Value])[]);
}
