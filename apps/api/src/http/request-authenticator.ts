import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppConfig } from '#libs/config';
import { AppError, systemClock } from '#libs/kernel';
import { ApiKeyStore, ConsoleSessionStore, SCOPES } from '#libs/persistence';
import { API_CONFIG } from '../api.tokens.js';
import { admit, holdsScope, type Principal } from './access.js';
import { requireLocal } from './disabled-auth.js';
import { isDocument } from './documents.js';
import { findPrincipal, readCredential } from './find-principal.js';
import { requireSameOrigin } from './same-origin.js';
import { UnauthenticatedError } from './request-errors.js';
import { RequestLimits } from './request-limits.js';

const EVERYTHING: Principal = { tenantId: 'default', keyId: null, scopes: SCOPES };

/**
 * Authorises every request before its body is read: by a key with the route's scope, or with `AUTH=off` as tenant `default`
 * for programs of this machine.
 */
@Injectable()
export class RequestAuthenticator {
  /** Keys with a pending write of their last use, so that concurrent requests cause one write. */
  private readonly noting = new Set<string>();

  constructor(
    private readonly keys: ApiKeyStore,
    private readonly sessions: ConsoleSessionStore,
    private readonly limits: RequestLimits,
    @Inject(API_CONFIG) private readonly config: AppConfig,
  ) {}

  /** Registers the hooks; must be called before the routes are registered. */
  guard(instance: FastifyInstance): void {
    instance.addHook('onRoute', (route) => {
      if (isDocument(route.url) && route.config?.access === undefined)
        Object.assign(route, { config: { ...route.config, access: 'any key', takesPasswords: true } });
      if (route.url.startsWith('/api/') && route.config?.access === undefined)
        throw new Error(`${route.url} does not say who may call it`);
    });
    instance.addHook('onRequest', (request, reply) => this.evaluate(request, reply));
  }

  private async evaluate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isOpen = this.config.http.auth === 'off';
    if (isOpen) requireLocal(request.headers);
    if (request.is404) throw new NotFoundException();
    const { access = 'public' } = request.routeOptions.config;
    if (access === 'public') return;

    const byAddress = this.limits.admitAddress(request, reply);
    if (byAddress !== null) await byAddress;
    if (access === 'sign-in') return;
    const principal = isOpen ? EVERYTHING : await this.identify(request, reply);
    const byCaller = this.limits.admitCaller(request, reply, principal);
    if (byCaller !== null) await byCaller;
    if (access !== 'any key' && !holdsScope(principal, access)) throw lacksScope(access);
    admit(request, principal);
  }

  private async identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const credential = readCredential(request);
    if (credential?.kind === 'session') requireSameOrigin(request);
    const stores = { keys: this.keys, sessions: this.sessions };
    const found =
      credential === null ? KEY_REQUIRED : await findPrincipal(stores, credential, systemClock.now());
    if (typeof found === 'string') {
      await this.limits.noteFailure(request, reply);
      throw new UnauthenticatedError(found, challengeOf(request));
    }
    const { principal, isUseDue } = found;
    if (isUseDue && principal.keyId !== null) this.noteUse(principal.keyId);
    return principal;
  }

  /** The request neither waits for this write nor fails with it; a later request retries. */
  private noteUse(keyId: string): void {
    if (this.noting.has(keyId)) return;
    this.noting.add(keyId);
    void this.keys
      .noteUse(keyId)
      .catch(() => undefined)
      .finally(() => this.noting.delete(keyId));
  }
}

const KEY_REQUIRED = 'an API key is required: Authorization: Bearer csk_…';

/** Only for the documents does the browser ask its user for a password. */
function challengeOf({ routeOptions }: FastifyRequest): string {
  const bearer = 'Bearer realm="capstan"';
  return routeOptions.config.takesPasswords === true
    ? `Basic realm="capstan: an API key as password", ${bearer}`
    : bearer;
}

/** Error for a key without the required scope. */
export function lacksScope(scope: string): AppError {
  return new AppError({
    code: 'INSUFFICIENT_SCOPE',
    kind: 'denied',
    message: `the API key lacks the scope "${scope}"`,
  });
}
