import type { AnyTool, Domain as KitDomain } from '#libs/kit';
import type { Domain } from '#libs/tooling';
import { nameFault } from '../part-faults.js';
import type { ProjectPart, ProjectProblem } from '../project-part.js';
import type { Manager } from './manager-database.js';
import { findMigrationFault, schemaOf, type SqlFile } from './sql-migrations.js';
import { toDomain } from './to-domain.js';

interface SelectedDomains {
  readonly usable: readonly Domain<Manager>[];
  /** Tools of the usable domains. */
  readonly tools: readonly AnyTool[];
  readonly problems: readonly ProjectProblem[];
}

/** Schemas that are not a domain's, and domains of the other parts of projects. */
const RESERVED = /^(?:pg_.*|public|information_schema|project(?:_\d+)?)$/;
/** Maximum bytes of a name in PostgreSQL. */
const MAX_SCHEMA = 63;

/** Selects the usable domains. A domain with a fault is left out as a whole, with its tables as they are. */
export function selectDomains(parts: readonly ProjectPart[]): SelectedDomains {
  const usable: Domain<Manager>[] = [];
  const tools: AnyTool[] = [];
  const problems: ProjectProblem[] = [];
  for (const { file, domains, migrations } of parts) {
    for (const domain of domains) {
      const selected = convert(domain, { file, migrations, tools });
      if (typeof selected === 'string') problems.push({ place: file, reason: selected });
      else {
        usable.push(selected);
        tools.push(...(domain.tools ?? []));
      }
    }
  }
  return { usable, tools, problems };
}

/** The domain, or why it is not usable. */
function convert(
  domain: KitDomain,
  given: {
    readonly file: string;
    readonly migrations: readonly SqlFile[];
    readonly tools: readonly AnyTool[];
  },
): Domain<Manager> | string {
  const fault =
    placeFault(domain.name, given.file) ??
    findMigrationFault(given.migrations) ??
    toolNameFault(domain.tools ?? [], given.tools);
  if (fault !== null) return fault;
  try {
    return toDomain(domain, given.migrations);
  } catch (error) {
    return error instanceof Error ? error.message : `the domain "${domain.name}" is not usable`;
  }
}

function placeFault(name: string, file: string): string | null {
  const folder = /^domains\/([^/]+)\/index\.\w+$/.exec(file)?.[1];
  if (folder === undefined) return 'a domain (defineDomain) is exported from domains/NAME/index.ts';
  if (folder !== name) return `the domain "${name}" must be named as its folder: "${folder}"`;
  const schema = schemaOf(name);
  if (RESERVED.test(schema) || schema.length > MAX_SCHEMA)
    return `the domain "${name}" cannot have a schema of that name: choose another one of at most ${MAX_SCHEMA} characters`;
  return null;
}

function toolNameFault(tools: readonly AnyTool[], earlier: readonly AnyTool[]): string | null {
  const seen = [...earlier];
  for (const tool of tools) {
    const fault = nameFault('tool', tool.name, seen);
    if (fault !== null) return fault;
    seen.push(tool);
  }
  return null;
}
