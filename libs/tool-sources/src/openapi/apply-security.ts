import type { CalledService } from './called-service.js';
import type { Operation, SecurityScheme } from './operation.js';
import { encodeText, type Pair } from './serialize-value.js';

/** Credentials and parameters of a request, merged. */
export interface SentCredentials {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly Pair[];
  readonly cookies: readonly Pair[];
}

/**
 * Merges the configured headers and parameters with those of the call, over which they take precedence. Of the
 * operation's security requirements, the first with a configured value for every scheme is applied.
 */
export function applySecurity(
  operation: Pick<Operation, 'security'>,
  { schemes, credentials }: Pick<CalledService, 'schemes' | 'credentials'>,
  query: readonly Pair[],
  cookies: readonly Pair[],
): SentCredentials {
  const headers: Record<string, string> = {};
  const ownQuery = Object.entries(credentials.query).map(
    ([name, value]) => [encodeText(name), encodeText(value)] as const,
  );
  const sent = { query: replaced(query, ownQuery), cookies: [...cookies] };
  for (const name of chosenSchemes(operation, schemes, credentials.security)) {
    const scheme = schemes.get(name);
    const value = credentials.security[name];
    if (scheme !== undefined && value !== undefined) fill(scheme, value, headers, sent);
  }
  // The tenant's headers take precedence over the description's security schemes.
  for (const [name, value] of Object.entries(credentials.headers)) headers[name.toLowerCase()] = value;
  return { headers, ...sent };
}

function chosenSchemes(
  { security }: Pick<Operation, 'security'>,
  schemes: ReadonlyMap<string, SecurityScheme>,
  values: Readonly<Record<string, string>>,
): readonly string[] {
  const isFilled = (name: string): boolean => schemes.has(name) && Object.hasOwn(values, name);
  // Without any security requirement, all schemes with a configured value apply.
  if (security === null) return [...schemes.keys()].filter(isFilled);
  return security.find((set) => set.length > 0 && set.every(isFilled)) ?? [];
}

function fill(
  scheme: SecurityScheme,
  value: string,
  headers: Record<string, string>,
  sent: { query: Pair[]; cookies: Pair[] },
): void {
  if (scheme.kind === 'bearer') headers['authorization'] = `Bearer ${value}`;
  else if (scheme.kind === 'basic')
    headers['authorization'] = `Basic ${Buffer.from(value, 'utf8').toString('base64')}`;
  else if (scheme.in === 'header') headers[scheme.name.toLowerCase()] = value;
  else {
    const pair = [encodeText(scheme.name), encodeText(value)] as const;
    if (scheme.in === 'query') sent.query = replaced(sent.query, [pair]);
    else sent.cookies = replaced(sent.cookies, [pair]);
  }
}

/** Configured parameters replace those that the model supplied. */
function replaced(given: readonly Pair[], own: readonly Pair[]): Pair[] {
  const names = new Set(own.map(([name]) => name));
  return [...given.filter(([name]) => !names.has(name)), ...own];
}
