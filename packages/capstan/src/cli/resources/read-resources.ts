import { LineCounter, parseAllDocuments, isNode, type Document } from 'yaml';
import { KINDS, type Fields, type Kind } from './kinds.js';

/** A file with descriptions of resources. */
export interface ResourceFile {
  /** Path as it is shown. */
  readonly path: string;
  readonly text: string;
}

/** Something wrong in a file. */
export interface Fault {
  readonly file: string;
  readonly line: number;
  /** Place within the resource, such as `config.temperature`; empty for the whole of it. */
  readonly field: string;
  readonly detail: string;
}

/** A resource as a file describes it. */
export interface Declared {
  readonly kind: Kind;
  readonly name: string;
  /** Without kind and name. */
  readonly fields: Fields;
  readonly file: string;
  /** Line of a place within the resource, or of what holds it. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

export interface Reading {
  readonly resources: readonly Declared[];
  readonly faults: readonly Fault[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads resources of files in YAML or JSON, several in one file as documents of YAML or as a list. `${env:NAME}` in a text
 * stands for a variable of the environment. Pure.
 */
export function readResources(files: readonly ResourceFile[], environment: Environment): Reading {
  const readings = files.map((file) => readFile(file, environment));
  const resources = readings.flatMap((reading) => reading.resources);
  return { resources, faults: [...readings.flatMap(({ faults }) => faults), ...findTwins(resources)] };
}

function readFile({ path, text }: ResourceFile, environment: Environment): Reading {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const faults: Fault[] = [];
  const resources: Declared[] = [];
  for (const document of documents as Document[]) {
    for (const { message, pos } of [...document.errors, ...document.warnings])
      faults.push({ file: path, line: lines.linePos(pos[0]).line, field: '', detail: message });
    if (document.errors.length > 0) continue;
    const lineOf = lineReader(document, lines);
    const value = valueOf(document);
    if (value instanceof Error) {
      faults.push({ file: path, line: lineOf([]), field: '', detail: value.message });
      continue;
    }
    if (value === null || value === undefined) continue;
    const items = Array.isArray(value)
      ? value.map((item: unknown, at) => [item, [at]] as const)
      : [[value, []] as const];
    for (const [item, place] of items) {
      const read = readOne(item, environment, path, (within) => lineOf([...place, ...within]));
      faults.push(...read.faults);
      resources.push(...read.resources);
    }
  }
  return { resources, faults };
}

/** Aliases that grow without bound are an error. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function lineReader(document: Document, lines: LineCounter): Declared['lineOf'] {
  return (path) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
}

function readOne(item: unknown, environment: Environment, file: string, lineOf: Declared['lineOf']): Reading {
  const faults: Fault[] = [];
  const refuse = (path: readonly (string | number)[], detail: string): void => {
    faults.push({ file, line: lineOf(path), field: path.join('.'), detail });
  };
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    refuse([], 'must be a resource: an object with kind and name');
    return { resources: [], faults };
  }
  const { kind: given, name, ...rest } = item as Fields;
  const kind = KINDS.find((known) => known === given);
  if (kind === undefined) refuse(['kind'], `must be one of ${KINDS.join(', ')}`);
  if (typeof name !== 'string' || name.trim() === '') refuse(['name'], 'must be the name of the resource');
  const fields = withEnvironment(rest, environment, [], refuse) as Fields;
  if (kind === undefined || typeof name !== 'string' || faults.length > 0) return { resources: [], faults };
  return { resources: [{ kind, name: name.trim(), fields, file, lineOf }], faults };
}

const VARIABLE = /\$\{env:([^}]*)\}/g;

/** The value with its texts filled in from the environment. */
function withEnvironment(
  value: unknown,
  environment: Environment,
  path: readonly (string | number)[],
  refuse: (path: readonly (string | number)[], detail: string) => void,
): unknown {
  if (typeof value === 'string')
    return value.replaceAll(VARIABLE, (_whole, name: string) => {
      const found = Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (found === undefined)
        refuse(path, `the environment has no ${name === '' ? 'variable without a name' : name}`);
      return found ?? '';
    });
  if (Array.isArray(value))
    return value.map((item: unknown, at) => withEnvironment(item, environment, [...path, at], refuse));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      withEnvironment(item, environment, [...path, key], refuse),
    ]),
  );
}

/** Resources that are described a second time. */
function findTwins(resources: readonly Declared[]): Fault[] {
  const first = new Map<string, Declared>();
  return resources.flatMap((resource) => {
    const { kind, name, file, lineOf } = resource;
    const key = `${kind} ${name}`;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, resource);
      return [];
    }
    const detail = `there is another ${kind} "${name}" at ${other.file}:${other.lineOf([])}`;
    return [{ file, line: lineOf(['name']), field: 'name', detail }];
  });
}
