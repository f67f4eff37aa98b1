import type { References } from './references.js';
import { DocumentFault } from './document-fault.js';
import { entriesOf, fault, itemsOf, objectAt, textAt, under, type Located } from './located.js';
import type { JsonObject } from '#libs/kernel';
import { METHODS, type Method, type Operation, type SecurityScheme, type Service } from './operation.js';
import { describeOperation, nameOperation, nameByPath } from './name-operation.js';
import { readBody } from './read-body.js';
import { readParameters } from './read-parameters.js';
import { readSchemes } from './read-schemes.js';

/** Maximum operations per description; each one stays in memory while the description is in use. */
const MAX_OPERATIONS = 10_000;

/**
 * Reads all operations of a description. Invalid ones are omitted and listed in `faults`. Throws a `DocumentFault` if
 * the description is unreadable as a whole.
 */
export function readService(references: References): Service {
  const root = objectAt(references.root());
  const faults: string[] = [];
  const keep = <Read>(read: () => Read): Read | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      faults.push(error.message);
      return null;
    }
  };
  const schemes = keep(() => readSchemes(root, references)) ?? new Map<string, SecurityScheme>();
  const operations = new Map<string, Operation>();
  for (const [path, item] of pathsOf(root)) {
    for (const found of keep(() => operationsAt(path, item, references)) ?? []) {
      const operation = keep(() => readOperation(found, root, references));
      if (operation === null) continue;
      if (operations.size >= MAX_OPERATIONS)
        throw fault(under(root, 'paths'), `must have at most ${MAX_OPERATIONS} operations`);
      const name = freeName(operation, operations);
      operations.set(name, { ...operation, name });
    }
  }
  return { operations: [...operations.values()], schemes, faults };
}

interface FoundOperation {
  readonly method: Method;
  readonly path: string;
  readonly item: Located<JsonObject>;
  readonly at: Located<JsonObject>;
}

/** OpenAPI 3.1 descriptions may lack `paths`. */
function pathsOf(root: Located<JsonObject>): [string, Located][] {
  return entriesOf(under(root, 'paths')).filter(([path]) => !path.startsWith('x-'));
}

function operationsAt(path: string, given: Located, references: References): FoundOperation[] {
  if (!path.startsWith('/')) throw fault(given, 'must have a path that begins with /');
  const item = objectAt(references.follow(given));
  return METHODS.flatMap((method) => {
    const at = under(item, method);
    return at.value === undefined ? [] : [{ method, path, item, at: objectAt(at) }];
  });
}

function readOperation(
  { method, path, item, at }: FoundOperation,
  root: Located<JsonObject>,
  references: References,
): Operation {
  const { parameters, keyHeader } = readParameters(item, at, path, references);
  const body = method === 'get' || method === 'head' ? null : readBody(at, references);
  return {
    name: nameOperation(textAt(under(at, 'operationId')), method, path),
    method,
    path,
    description: describeOperation(at, method, path),
    effect: effectOf(method, keyHeader !== null),
    parameters,
    body,
    keyHeader,
    serverUrl: serverUrlOf(at, references) ?? serverUrlOf(item, references) ?? serverUrlOf(root, references),
    security: securityOf(at, references) ?? securityOf(root, references),
  };
}

/** Effect by the semantics of the HTTP method; an idempotency key makes unsafe methods idempotent. */
function effectOf(method: Method, hasKey: boolean): Operation['effect'] {
  if (method === 'get' || method === 'head') return 'read';
  return method === 'put' || method === 'delete' || hasKey ? 'idempotent' : 'unsafe';
}

/** URL of the first server, with its variables at their defaults; null if there is none. */
function serverUrlOf(of: Located, references: References): string | null {
  const [first] = itemsOf(under(of, 'servers'));
  if (first === undefined) return null;
  const url = textAt(under(objectAt(first), 'url'));
  if (url === undefined) throw fault(first, 'must have a url');
  return url.replaceAll(/\{([^{}]+)\}/g, (written, name: string) => {
    references.spend(1);
    const byDefault = under(under(under(first, 'variables') as Located, name) as Located, 'default').value;
    return typeof byDefault === 'string' || typeof byDefault === 'number' ? String(byDefault) : written;
  });
}

function securityOf(of: Located, references: References): string[][] | null {
  const at = under(of, 'security');
  if (at.value === undefined) return null;
  return itemsOf(at).map((set) => {
    const names = Object.keys(objectAt(set).value);
    references.spend(1 + names.length);
    return names;
  });
}

/** A duplicate name is replaced by one of method and path, with a number if needed. */
function freeName(operation: Operation, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(operation.name)) return operation.name;
  const plain = nameByPath(operation.method, operation.path);
  let name = plain;
  for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
  return name;
}
