import type { AddClientAuthentication } from '@modelcontextprotocol/sdk/client/auth.js';
import { createPrivateKeyJwtAuth } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { OAuthConfig } from '#libs/tooling';

/** A client that its tenant has made known beforehand. */
export type KnownClient = Exclude<OAuthConfig, { readonly client_auth: 'registered' }>;

/** As the library knows one: bound to its authorization server. */
export function clientInformationOf(config: KnownClient): OAuthClientInformationMixed {
  const known = { client_id: config.client_id, issuer: config.issuer };
  if (config.client_auth === 'private_key_jwt') return known;
  if (config.client_auth === 'none')
    return { ...known, token_endpoint_auth_method: config.client_auth, redirect_uris: [] };
  // Of a client with a registration of its own the library takes the way that it names.
  return {
    ...known,
    client_secret: config.client_secret,
    token_endpoint_auth_method: config.client_auth,
    redirect_uris: [],
  };
}

/** What proves a client that signs (RFC 7523 2.2), for one audience only; null for any other. */
export function signedAssertionOf(config: OAuthConfig): AddClientAuthentication | null {
  if (config.client_auth !== 'private_key_jwt') return null;
  return createPrivateKeyJwtAuth({
    issuer: config.client_id,
    subject: config.client_id,
    privateKey: config.private_key,
    alg: config.key_algorithm,
    audience: config.issuer,
  });
}
