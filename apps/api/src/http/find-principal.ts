import type { FastifyRequest } from 'fastify';
import { hashApiKeySecret, isSecretOf, parseApiKey, type ApiKeyStore } from '#libs/persistence';
import type { Principal } from './access.js';
import { singleHeader } from './request-values.js';
import { isTokenOf, parseStreamToken } from './stream-token.js';

/** The credential that a request presents. */
export type Credential =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'stream_token'; readonly text: string; readonly executionId: string };

/** The authenticated principal; `isUseDue` says that the last use of the key should be recorded. */
export interface Found {
  readonly principal: Principal;
  readonly isUseDue: boolean;
}

const NO_HASH = hashApiKeySecret('');

/** The query parameter of a stream token. */
export const STREAM_TOKEN = 'stream_token';

/**
 * The credential of a request; null without one. Keys come as bearer tokens, or for the documents as the password of `Basic`
 * with any user name, since people open them in a browser. Stream tokens come in the query, on routes that accept them.
 */
export function readCredential(
  request: Pick<FastifyRequest, 'headers' | 'query' | 'params' | 'routeOptions'>,
): Credential | null {
  const authorization = singleHeader(request, 'authorization') ?? '';
  const { access, takesStreamTokens = false } = request.routeOptions.config;
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return { kind: 'key', text: bearer };
  const basic = access === 'any key' ? /^Basic +(\S+)$/i.exec(authorization)?.[1] : undefined;
  if (basic !== undefined) return { kind: 'key', text: passwordOf(basic) };
  if (!takesStreamTokens) return null;
  const token = (request.query as Record<string, unknown>)[STREAM_TOKEN];
  if (token === undefined) return null;
  const { id = '' } = request.params as { id?: string };
  return { kind: 'stream_token', text: typeof token === 'string' ? token : '', executionId: id };
}

function passwordOf(basic: string): string {
  const pair = Buffer.from(basic, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

/** The principal of the credential, or the reason for its refusal. */
export function findPrincipal(
  keys: Pick<ApiKeyStore, 'find'>,
  credential: Credential,
  now: number,
): Promise<Found | string> {
  return credential.kind === 'key'
    ? findByKey(keys, credential.text)
    : findByToken(keys, credential.text, credential.executionId, now);
}

const KEY_NOT_VALID = 'the API key is not valid';

async function findByKey(keys: Pick<ApiKeyStore, 'find'>, text: string): Promise<Found | string> {
  const key = parseApiKey(text);
  if (key === null) return KEY_NOT_VALID;
  const stored = await keys.find(key.id);
  // Compared also for an unknown id, so that the time taken reveals nothing.
  const isSecretRight = isSecretOf(key.secret, stored?.secretSha256 ?? NO_HASH);
  if (stored === null || !isSecretRight) return KEY_NOT_VALID;
  const { tenantId, scopes, isUseDue } = stored;
  return { principal: { tenantId, keyId: key.id, scopes }, isUseDue };
}

const TOKEN_NOT_VALID = 'the stream token is not valid for this execution, or has expired; get another one';

/** Grants only `executions:read` on the token's own execution. */
async function findByToken(
  keys: Pick<ApiKeyStore, 'find'>,
  text: string,
  executionId: string,
  now: number,
): Promise<Found | string> {
  const token = parseStreamToken(text);
  if (token === null || token.expiresAt * 1_000 <= now) return TOKEN_NOT_VALID;
  const stored = await keys.find(token.keyId);
  const isRight = isTokenOf(token, stored?.secretSha256 ?? NO_HASH, executionId);
  if (stored === null || !isRight || !stored.scopes.includes('executions:read')) return TOKEN_NOT_VALID;
  const principal = { tenantId: stored.tenantId, keyId: token.keyId, scopes: ['executions:read'] };
  return { principal, isUseDue: stored.isUseDue };
}
