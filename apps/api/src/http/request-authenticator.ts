import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import { ApiKeyStore, hashApiKeySecret, isSecretOf, parseApiKey, SCOPES } from '#libs/persistence';
import { API_CONFIG } from '../api.tokens.js';
import { admit, holdsScope, type Principal } from './access.js';
import { requireLocal } from './disabled-auth.js';
import { RequestLimits } from './request-limits.js';

const EVERYTHING: Principal = { tenantId: 'default', keyId: null, scopes: SCOPES };
const NO_HASH = hashApiKeySecret('');

/**
 * Decides over every request before a byte of its body is read: lets it in with a key that has the route's scope, or
 * everything of this machine as tenant `default` where `AUTH=off`.
 */
@Injectable()
export class RequestAuthenticator {
  /** Keys whose use is being written: one write is enough, however many requests come meanwhile. */
  private readonly noting = new Set<string>();

  constructor(
    private readonly keys: ApiKeyStore,
    private readonly limits: RequestLimits,
    @Inject(API_CONFIG) private readonly config: AppConfig,
  ) {}

  /** Has every request judged; to be called before the routes are registered. */
  guard(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ url, config }) => {
      if (url.startsWith('/api/') && config?.access === undefined)
        throw new Error(`${url} does not say who may call it`);
    });
    instance.addHook('onRequest', (request, reply) => this.judge(request, reply));
  }

  private async judge(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isOpen = this.config.http.auth === 'off';
    if (isOpen) requireLocal(request.headers);
    if (request.is404) throw new NotFoundException();
    const { access = 'everybody' } = request.routeOptions.config;
    if (access === 'everybody') return;

    await this.limits.admitAddress(request, reply);
    const principal = isOpen ? EVERYTHING : await this.identify(request, reply);
    await this.limits.admitCaller(request, reply, principal);
    if (!holdsScope(principal, access)) throw lacksScope(access);
    admit(request, principal);
  }

  private async identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const principal = await this.findPrincipal(request.headers.authorization ?? '');
    if (typeof principal !== 'string') return principal;
    await this.limits.noteFailure(request, reply);
    throw unauthenticated(principal);
  }

  /** Whose key it is, or why it is nobody's. */
  private async findPrincipal(authorization: string): Promise<Principal | string> {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) return 'an API key is required: Authorization: Bearer csk_…';
    const key = parseApiKey(token);
    if (key === null) return 'the API key is not valid';
    const stored = await this.keys.find(key.id);
    // Compared also for an unknown id, so that the time taken reveals nothing.
    const isSecretRight = isSecretOf(key.secret, stored?.secretSha256 ?? NO_HASH);
    if (stored === null || !isSecretRight) return 'the API key is not valid';
    if (stored.isUseDue) this.noteUse(key.id);
    return { tenantId: stored.tenantId, keyId: key.id, scopes: stored.scopes };
  }

  /** The request does not wait for it, and does not fail by it: a later one does it again. */
  private noteUse(keyId: string): void {
    if (this.noting.has(keyId)) return;
    this.noting.add(keyId);
    void this.keys
      .noteUse(keyId)
      .catch(() => undefined)
      .finally(() => this.noting.delete(keyId));
  }
}

function unauthenticated(message: string): AppError {
  return new AppError({ code: 'UNAUTHENTICATED', kind: 'unauthenticated', message });
}

/** The answer to a key that may not do this. */
export function lacksScope(scope: string): AppError {
  return new AppError({
    code: 'INSUFFICIENT_SCOPE',
    kind: 'denied',
    message: `the API key lacks the scope "${scope}"`,
  });
}
