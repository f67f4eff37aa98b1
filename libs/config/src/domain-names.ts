type Environment = Readonly<Record<string, string | undefined>>;

/** The names in DOMAINS; empty if it is empty or not set. */
export function domainNames({ DOMAINS = '' }: Environment): readonly string[] {
  return DOMAINS.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Returns a message for each name that no domain has. */
export function unknownDomains(env: Environment, listed: readonly string[]): string[] {
  const there = listed.length === 0 ? 'there are none' : `there are ${listed.join(', ')}`;
  return domainNames(env)
    .filter((name) => !listed.includes(name))
    .map((name) => `DOMAINS: there is no domain "${name}"; ${there}`);
}
