import { AppError, ERROR_CATALOGUE } from '#libs/kernel';
import type { Domain, EarlierData } from './domain.js';
import { MAX_TRY_MS } from './background-task.js';
import { SERVICE_KEYS } from './message-data-schemas.js';

const ERROR_CODE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** Excludes `__proto__` and the like, and needs no escaping in a JSON pointer. */
const DATA_KEY = /^[a-zA-Z][a-zA-Z0-9_]*$/;

/** Rejects domains that conflict or would only fail when used. Throws `DOMAIN_INVALID`. */
export function checkDomains(domains: readonly Domain<never>[]): void {
  const taken = new Taken();
  taken.take('the service', 'key of messageData', [...SERVICE_KEYS]);
  for (const domain of domains) {
    if (!NAME.test(domain.name)) throw domainFault(domain.name, 'its name must be lower-case-words');
    const { input, stored, earlier, hiddenFromModel } = domain.messageData;
    const present = [...Object.keys(input), ...Object.keys(stored)];
    const keys = [...present, ...formerKeys(earlier, new Set(present))];
    taken.take(domain.name, 'name', [domain.name]);
    taken.take(domain.name, 'key of messageData', keys);
    taken.take(domain.name, 'kind of staged change', Object.keys(domain.stagedChanges));
    taken.take(
      domain.name,
      'task',
      domain.tasks.map((task) => task.kind),
    );
    checkTasks(domain);
    taken.take(
      domain.name,
      'agent',
      domain.agents.map((agent) => agent.name),
    );
    taken.take(
      domain.name,
      'route',
      [...domain.routes, ...domain.lists.map(asRoute)].map((route) => `${route.method} ${route.path}`),
    );
    taken.take(
      domain.name,
      'operation',
      [...domain.routes, ...domain.lists].map((route) => route.operation),
    );
    taken.take(domain.name, 'error code', Object.keys(domain.errors));
    checkErrorCodes(domain);
    const odd = keys.find((key) => !DATA_KEY.test(key));
    if (odd !== undefined) throw domainFault(domain.name, `"${odd}" cannot be a key of messageData`);
    checkVersions(domain);
    const unknown = Object.keys(domain.lookUps).find((key) => !present.includes(key));
    if (unknown !== undefined)
      throw domainFault(domain.name, `lookUps names "${unknown}", which messageData does not declare`);
    const stranger = hiddenFromModel.find((key) => !present.includes(key));
    if (stranger !== undefined)
      throw domainFault(
        domain.name,
        `hiddenFromModel names "${stranger}", which messageData does not declare`,
      );
  }
}

function checkTasks({ name, tasks }: Pick<Domain<never>, 'name' | 'tasks'>): void {
  for (const { kind, timeoutMs } of tasks)
    if (!(timeoutMs > 0 && timeoutMs <= MAX_TRY_MS))
      throw domainFault(name, `a try of its task "${kind}" must end within ${MAX_TRY_MS} ms`);
}

/** Keys that only earlier versions declare; they stay reserved, so that no other domain reuses them. */
function formerKeys(earlier: readonly EarlierData[], present: ReadonlySet<string>): string[] {
  const former = earlier.flatMap(({ keys }) => Object.keys(keys));
  return [...new Set(former)].filter((key) => !present.has(key));
}

/** Messages may hold data of every earlier version, so each one needs a declaration. */
function checkVersions({
  name,
  messageData: { version, earlier },
}: Pick<Domain, 'name' | 'messageData'>): void {
  const isWhole = earlier.length === version - 1 && earlier.every((each, at) => each.version === at + 1);
  if (isWhole) return;
  const found = earlier.map((each) => each.version).join(', ') || 'none';
  throw domainFault(
    name,
    `messageData is of version ${version} and must have every version before it in earlier, from 1; it has ${found}`,
  );
}

/** An error code has one meaning: a domain may not redefine a code of the service. */
function checkErrorCodes({ name, errors }: Pick<Domain, 'name' | 'errors'>): void {
  for (const code of Object.keys(errors)) {
    if (!ERROR_CODE.test(code)) throw domainFault(name, `its error code "${code}" must be UPPER_SNAKE_CASE`);
    if (Object.hasOwn(ERROR_CATALOGUE, code))
      throw domainFault(name, `the error code "${code}" is one of the service`);
  }
}

function asRoute<List extends { readonly path: string }>(list: List): List & { readonly method: 'GET' } {
  return { ...list, method: 'GET' };
}

export function domainFault(name: string, reason: string): AppError {
  return new AppError({
    code: 'DOMAIN_INVALID',
    kind: 'internal',
    message: `the domain "${name}" is not usable: ${reason}`,
  });
}

/** Records the domain that owns each name, per sort of name. */
class Taken {
  private readonly owners = new Map<string, string>();

  take(domain: string, what: string, names: readonly string[]): void {
    for (const name of names) {
      const key = `${what} ${name}`;
      const owner = this.owners.get(key);
      if (owner !== undefined) throw domainFault(domain, `the ${what} "${name}" is taken by "${owner}"`);
      this.owners.set(key, domain);
    }
  }
}
