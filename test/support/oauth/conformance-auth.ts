/** The values that the suite gives a scenario's client besides the URL of the server. */
export interface ScenarioContext {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
}

const REDIRECT = 'http://localhost:3000/callback';
const CLIENT_METADATA = 'https://conformance-test.local/client-metadata.json';

/** The `auth` of a server as a tenant writes it for a scenario; null for a scenario without tokens. */
export async function authFor(
  scenario: string,
  url: string,
  context: ScenarioContext,
): Promise<object | null> {
  if (!scenario.startsWith('auth/')) return null;
  const {
    client_id,
    client_secret,
    private_key_pem: private_key,
    signing_algorithm: key_algorithm,
  } = context;
  const type = 'oauth';
  if (scenario.startsWith('auth/client-credentials')) {
    const known = { type, grant: 'client_credentials', issuer: await issuerOf(url), client_id };
    return private_key === undefined
      ? { ...known, client_auth: 'client_secret_basic', client_secret }
      : { ...known, client_auth: 'private_key_jwt', private_key, key_algorithm };
  }
  const byCode = { type, grant: 'authorization_code', redirect_uri: REDIRECT };
  if (client_id === undefined)
    return { ...byCode, client_auth: 'registered', client_metadata_url: CLIENT_METADATA };
  return {
    ...byCode,
    issuer: await issuerOf(url),
    client_auth: 'client_secret_basic',
    client_id,
    client_secret,
  };
}

/** The issuer, which a tenant knows beforehand; here the server names it. */
async function issuerOf(url: string): Promise<string> {
  const { origin, pathname } = new URL(url);
  const answer = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const { authorization_servers: servers } = (await answer.json()) as { authorization_servers: string[] };
  return servers[0] ?? '';
}
