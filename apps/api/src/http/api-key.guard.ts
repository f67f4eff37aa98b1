import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import { ApiKeyStore, hashApiKeySecret, isSecretOf, parseApiKey } from '#libs/persistence';
import { API_CONFIG } from '../api.tokens.js';
import { admit, holdsScope, type Principal } from './principal.js';
import { Access, SCOPES, type Scope } from './scopes.js';

const EVERYTHING: Principal = { tenantId: 'default', scopes: SCOPES };
const NO_HASH = hashApiKeySecret('');

/** Lets a request in with a key that has the route's scope, or everybody as tenant `default` where `AUTH=off`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeyStore,
    @Inject(API_CONFIG) private readonly config: AppConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Scope | 'everybody' | undefined>(Access.KEY, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === undefined) throw new Error(`${context.getClass().name} does not say who may call it`);
    if (access === 'everybody') return true;

    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const principal = this.config.http.auth === 'off' ? EVERYTHING : await this.#identify(request);
    if (!holdsScope(principal, access)) throw lacksScope(access);
    admit(request, principal);
    return true;
  }

  async #identify(request: FastifyRequest): Promise<Principal> {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw unauthenticated('an API key is required: Authorization: Bearer csk_…');
    const key = parseApiKey(token);
    if (key === null) throw unauthenticated('the API key is not valid');
    const stored = await this.keys.find(key.id);
    // Compared also for an unknown id, so that the time taken tells nothing.
    const isSecretRight = isSecretOf(key.secret, stored?.secretSha256 ?? NO_HASH);
    if (stored === null || !isSecretRight) throw unauthenticated('the API key is not valid');
    return stored;
  }
}

function unauthenticated(message: string): AppError {
  return new AppError({ code: 'UNAUTHENTICATED', kind: 'unauthenticated', message });
}

function lacksScope(scope: string): AppError {
  return new AppError({
    code: 'INSUFFICIENT_SCOPE',
    kind: 'denied',
    message: `the API key lacks the scope "${scope}"`,
  });
}
