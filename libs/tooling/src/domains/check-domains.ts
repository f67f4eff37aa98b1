import { AppError } from '#libs/kernel';
import type { Domain } from './domain.js';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** Not `__proto__` and the like, and readable in a JSON pointer. */
const DATA_KEY = /^[a-zA-Z][a-zA-Z0-9_]*$/;

/** Refuses domains that would get into each other's way, or fail only when they are used. Throws `DOMAIN_INVALID`. */
export function checkDomains(domains: readonly Domain<never>[]): void {
  const taken = new Taken();
  for (const domain of domains) {
    if (!NAME.test(domain.name)) throw domainFault(domain.name, 'its name must be lower-case-words');
    const { input, stored, hiddenFromModel } = domain.messageData;
    const keys = [...Object.keys(input), ...Object.keys(stored)];
    taken.take(domain.name, 'name', [domain.name]);
    taken.take(domain.name, 'key of messageData', keys);
    taken.take(domain.name, 'kind of staged change', Object.keys(domain.stagedChanges));
    taken.take(
      domain.name,
      'agent',
      domain.agents.map((agent) => agent.name),
    );
    taken.take(
      domain.name,
      'route',
      domain.routes.map((route) => `${route.method} ${route.path}`),
    );
    taken.take(
      domain.name,
      'operation',
      domain.routes.map((route) => route.operation),
    );
    const odd = keys.find((key) => !DATA_KEY.test(key));
    if (odd !== undefined) throw domainFault(domain.name, `"${odd}" cannot be a key of messageData`);
    const stranger = hiddenFromModel.find((key) => !keys.includes(key));
    if (stranger !== undefined)
      throw domainFault(
        domain.name,
        `hiddenFromModel names "${stranger}", which messageData does not declare`,
      );
  }
}

export function domainFault(name: string, reason: string): AppError {
  return new AppError({
    code: 'DOMAIN_INVALID',
    kind: 'internal',
    message: `the domain "${name}" is not usable: ${reason}`,
  });
}

/** Who has which name of which sort. */
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
