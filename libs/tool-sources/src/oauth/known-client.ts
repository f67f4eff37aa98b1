import type { AddClientAuthentication } from '@modelcontextprotocol/sdk/client/auth.js';
import { createPrivateKeyJwtAuth } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { OAuthConfig } from '#libs/tooling';

/** A client that the tenant registered beforehand. */
export type KnownClient = Exclude<OAuthConfig, { readonly client_auth: 'registered' }>;

/** The library's form of the client, bound to its authorization server. */
export function clientInformationOf(config: KnownClient): OAuthClientInformationMixed {
  const known = { client_id: config.client_id, issuer: config.issuer };
  if (config.client_auth === 'private_key_jwt') return known;
  if (config.client_auth === 'none')
    return { ...known, token_endpoint_auth_method: config.client_auth, redirect_uris: [] };
  // `token_endpoint_auth_method` is part of the library's type of a registered client, which requires `redirect_uris`.
  return {
    ...known,
    client_secret: config.client_secret,
    token_endpoint_auth_method: config.client_auth,
    redirect_uris: [],
  };
}

/**
 * Authenticates a client by a signed assertion (RFC 7523 2.2), for its authorization server only; null for other
 * methods.
 */
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
