import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { AppConfig } from '#libs/config';
import {
  ApiKeyStore,
  ConsoleSessionStore,
  hashApiKeySecret,
  type ConsoleSessionOwner,
  type ConsoleSessionView,
} from '#libs/persistence';
import { API_CONFIG } from '../api.tokens.js';
import { holdsScope, type Principal } from '../http/access.js';
import { findByKey } from '../http/find-principal.js';
import { byId, toPage, type Page } from '../http/page.js';
import { RequestLimits } from '../http/request-limits.js';
import { makeSessionToken, type SessionToken } from '../http/session-cookie.js';
import type { CallerAnswer, ConsoleSessionAnswer, ConsoleSessionListQuery } from './console-sessions.dto.js';
import { keyNotValid, noSignIn, notInSession, sessionNotFound } from './console-sessions.errors.js';

export const SESSION_SECONDS = 12 * 3_600;

/** A new session, with the token that only its browser is given. */
interface SignedIn {
  readonly session: ConsoleSessionAnswer;
  readonly token: SessionToken;
}

/** Sessions of browsers: an API key signs one in, and the session then acts as the key does. */
@Injectable()
export class ConsoleSessionsService {
  constructor(
    private readonly keys: ApiKeyStore,
    private readonly sessions: ConsoleSessionStore,
    private readonly limits: RequestLimits,
    @Inject(API_CONFIG) private readonly config: AppConfig,
  ) {}

  /** Throws `UNAUTHENTICATED`, `RATE_LIMITED` after too many wrong keys of one address, `SIGN_IN_OFF`. */
  async signIn(apiKey: string, request: FastifyRequest, reply: FastifyReply): Promise<SignedIn> {
    if (this.config.http.auth === 'off') throw noSignIn();
    const found = await findByKey(this.keys, apiKey);
    if (typeof found === 'string') {
      await this.limits.noteFailure(request, reply);
      throw keyNotValid();
    }
    const { keyId } = found.principal;
    if (keyId === null) throw keyNotValid();
    const token = makeSessionToken(uuidv7());
    const session = await this.sessions.create({
      id: token.id,
      keyId,
      tokenSha256: hashApiKeySecret(token.secret),
      lastsSeconds: SESSION_SECONDS,
    });
    // The key was revoked in between.
    if (session === null) throw keyNotValid();
    return { session: { ...session, is_current: true, scopes: [...session.scopes] }, token };
  }

  /** Tenant and scopes of the caller, and the end of its session. */
  async describe({ tenantId, keyId, scopes, sessionId }: Principal): Promise<CallerAnswer> {
    const key = keyId === null ? null : await this.keys.read(keyId);
    const session = sessionId === undefined ? null : await this.sessions.read(sessionId);
    return {
      auth: this.config.http.auth,
      tenant_id: tenantId,
      scopes: [...scopes],
      key_id: keyId,
      key_name: key?.name ?? null,
      session_id: sessionId ?? null,
      expires_at: session?.expires_at ?? key?.expires_at ?? null,
    };
  }

  /** Newest first: those of the tenant for the scope `admin`, else those of the same key. */
  async list(
    caller: Principal,
    { limit, cursor }: ConsoleSessionListQuery,
  ): Promise<Page<ConsoleSessionAnswer>> {
    const { data, ...page } = toPage(
      await this.sessions.list(ownerOf(caller), { beforeId: cursor ?? null, limit }),
      byId,
    );
    return { ...page, data: data.map((session) => toAnswer(session, caller)) };
  }

  /** Throws `NOT_FOUND`, also for a session that the caller would not be shown. */
  async end(caller: Principal, id: string): Promise<void> {
    if (!(await this.sessions.delete(ownerOf(caller), id))) throw sessionNotFound();
  }

  /** Signs the browser of the request out. Throws `NOT_FOUND` where it has no session. */
  async endCurrent(caller: Principal): Promise<void> {
    if (caller.sessionId === undefined) throw notInSession();
    await this.sessions.delete({ tenantId: caller.tenantId, keyId: caller.keyId }, caller.sessionId);
  }
}

function ownerOf(caller: Principal): ConsoleSessionOwner {
  return { tenantId: caller.tenantId, keyId: holdsScope(caller, 'admin') ? null : caller.keyId };
}

function toAnswer(session: ConsoleSessionView, { sessionId }: Principal): ConsoleSessionAnswer {
  return { ...session, scopes: [...session.scopes], is_current: session.id === sessionId };
}
