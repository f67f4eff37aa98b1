import { randomBytes } from 'node:crypto';
import type { GuardedClient } from '#libs/guarded-fetch';
import { askForConsent, authOf, exchangeCode, isAnswerOfIssuer, oauthFetch } from '#libs/tool-sources';
import type { ToolServer } from '#libs/tooling';
import { lookForChallenge } from '../../../apps/worker/src/connections/look-for-challenge.js';
import type { MemoryConnections } from './memory-connections.js';

/** A user who connects to servers and consents to every request. */
export class ConsentingUser {
  constructor(
    private readonly client: GuardedClient,
    private readonly connections: MemoryConnections,
    readonly id: string,
  ) {}

  async connect(server: ToolServer): Promise<void> {
    const wanted = authOf(server);
    if (wanted?.auth.grant !== 'authorization_code') throw new Error('the server takes no connections');
    const { url, auth: config } = wanted;
    const seen = await lookForChallenge(this.client, server, url);
    const scopes = [this.connections.missing.at(-1), seen?.scope].filter(
      (scope) => typeof scope === 'string',
    );
    const challenge = {
      scope: scopes.length === 0 ? null : [...new Set(scopes.join(' ').split(' '))].join(' '),
      resourceMetadata: seen?.resourceMetadata ?? null,
    };
    const state = randomBytes(16).toString('hex');
    const makeFetch = (): typeof fetch => oauthFetch(this.client, server.tenantId);
    const { pending, authorizeUrl } = await askForConsent(
      { serverUrl: url, config, registered: null, challenge, state },
      makeFetch(),
    );
    const answer = await fetch(authorizeUrl, { redirect: 'manual' });
    const back = new URL(answer.headers.get('location') ?? '').searchParams;
    if (!isAnswerOfIssuer(pending.discovery, back.get('iss'))) throw new Error('another server answers');
    const grant = await exchangeCode(url, config, pending, back.get('code') ?? '', makeFetch());
    this.connections.connect(server, this.id, grant);
  }
}
