import { createHash, createVerify, randomBytes, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A registered client. */
export interface KnownClient {
  readonly secret?: string;
  readonly publicKey?: KeyObject;
  readonly redirectUris?: readonly string[];
}

/** A request of a client to the token endpoint. */
export interface TokenRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly clientId: string | null;
  /** The method by which the client authenticated. */
  readonly method: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
}

interface Grant {
  readonly clientId: string;
  readonly scope: string;
  readonly resource: string | null;
  /** All tokens of one consent; the reuse of one revokes them all. */
  readonly family: string;
}

interface Code extends Grant {
  readonly challenge: string;
  readonly redirectUri: string;
}

type Answer = readonly [status: number, body: object];

/** A small, strict authorization server: every secret, code and token is valid once, and only for its client. */
export class AuthorizationServer {
  readonly clients = new Map<string, KnownClient>();
  readonly tokenRequests: TokenRequest[] = [];
  readonly revoked: string[] = [];
  /** All tokens that were issued. */
  readonly issued: string[] = [];
  /** The lifetime of access tokens in seconds. */
  expiresIn = 3_600;
  /** True if a refresh token is valid for one use only. */
  rotates = true;
  /** The answer of the token endpoint in place of the right one; null for the right one. */
  tokenAnswer: Answer | null = null;
  /** Awaited after a token request was validated, before its answer. */
  beforeTokenAnswer: () => Promise<void> = () => Promise.resolve();
  /** Awaited after a token was revoked, before the answer. */
  beforeRevocationAnswer: (token: string) => Promise<void> = () => Promise.resolve();
  /** Handlers that replace the answer, by path. */
  instead: Readonly<Record<string, (response: ServerResponse) => void>> = {};
  /** Overrides of the server's metadata. */
  metadata: Readonly<Record<string, unknown>> = {};
  private readonly codes = new Map<string, Code>();
  private readonly access = new Map<string, Grant>();
  private readonly refresh = new Map<string, Grant & { isUsed: boolean }>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<AuthorizationServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const made = new AuthorizationServer(server, `http://127.0.0.1:${port}`);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void made.answer(request, response);
    });
    return made;
  }

  /** The scope of a valid access token; null for any other. */
  scopeOf(token: string): string | null {
    return this.access.get(token)?.scope ?? null;
  }

  /** Expires an access token. */
  expire(token: string): void {
    this.access.delete(token);
  }

  /** Expires all access tokens. */
  expireAll(): void {
    this.access.clear();
  }

  /** Revokes all tokens, as if the user had withdrawn the consent at the server. */
  forgetAll(): void {
    this.access.clear();
    this.refresh.clear();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.origin);
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    const otherwise = this.instead[url.pathname];
    if (otherwise !== undefined) {
      otherwise(response);
    } else if (url.pathname === '/authorize') {
      response.writeHead(302, { location: this.consent(url.searchParams).href }).end();
    } else {
      const [status, body] = await this.answerJson(url.pathname, text, request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  }

  private async answerJson(path: string, text: string, request: IncomingMessage): Promise<Answer> {
    switch (path) {
      case '/.well-known/oauth-authorization-server':
        return [200, this.describe()];
      case '/token': {
        if (this.tokenAnswer !== null) return this.tokenAnswer;
        const answer = this.evaluate(new URLSearchParams(text), request.headers.authorization ?? null);
        await this.beforeTokenAnswer();
        return answer;
      }
      case '/register':
        return this.register(JSON.parse(text) as Record<string, unknown>);
      case '/revoke':
        return this.revoke(new URLSearchParams(text), request.headers.authorization ?? null);
      default:
        return [404, {}];
    }
  }

  private describe(): object {
    const { origin } = this;
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      revocation_endpoint: `${origin}/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: [
        ...['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
      ],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  /** The consent of a user who agrees to every request. */
  private consent(asked: URLSearchParams): URL {
    const clientId = asked.get('client_id') ?? '';
    const redirectUri = asked.get('redirect_uri') ?? '';
    if (this.clients.get(clientId)?.redirectUris?.includes(redirectUri) !== true)
      throw new Error(`nobody may be led to ${redirectUri}`);
    if (asked.get('code_challenge_method') !== 'S256') throw new Error('there is no PKCE');
    const code = random();
    this.codes.set(code, {
      ...{ clientId, redirectUri, family: random() },
      scope: asked.get('scope') ?? '',
      resource: asked.get('resource'),
      challenge: asked.get('code_challenge') ?? '',
    });
    const url = new URL(redirectUri);
    url.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.origin }).toString();
    return url;
  }

  private register(asked: Record<string, unknown>): Answer {
    const clientId = random();
    this.clients.set(clientId, { redirectUris: asked['redirect_uris'] as string[] });
    return [201, { ...asked, client_id: clientId }];
  }

  private async revoke(params: URLSearchParams, authorization: string | null): Promise<Answer> {
    if (this.identify(params, authorization).clientId === null) return refused(401, 'invalid_client');
    const token = params.get('token') ?? '';
    this.revoked.push(token);
    const family = (this.refresh.get(token) ?? this.access.get(token))?.family;
    if (family !== undefined) this.end(family);
    await this.beforeRevocationAnswer(token);
    return [200, {}];
  }

  private evaluate(params: URLSearchParams, authorization: string | null): Answer {
    const asked = this.identify(params, authorization);
    this.tokenRequests.push({ ...asked, params: Object.fromEntries(params) });
    const { clientId } = asked;
    if (clientId === null) return refused(401, 'invalid_client');
    switch (params.get('grant_type')) {
      case 'client_credentials':
        if (asked.method === 'none') return refused(401, 'invalid_client');
        return this.issue(
          {
            ...{ clientId, family: random() },
            scope: params.get('scope') ?? '',
            resource: params.get('resource'),
          },
          false,
        );
      case 'authorization_code':
        return this.exchange(clientId, params);
      case 'refresh_token':
        return this.renew(clientId, params.get('refresh_token') ?? '');
      default:
        return refused(400, 'unsupported_grant_type');
    }
  }

  private exchange(clientId: string, params: URLSearchParams): Answer {
    const code = this.codes.get(params.get('code') ?? '');
    this.codes.delete(params.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(params.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      code?.clientId === clientId &&
      code.challenge === challenge &&
      code.redirectUri === params.get('redirect_uri');
    return isGood ? this.issue(code, true) : refused(400, 'invalid_grant');
  }

  private renew(clientId: string, token: string): Answer {
    const grant = this.refresh.get(token);
    if (grant?.clientId !== clientId) return refused(400, 'invalid_grant');
    if (grant.isUsed) {
      this.end(grant.family);
      return refused(400, 'invalid_grant');
    }
    if (this.rotates) grant.isUsed = true;
    return this.issue(grant, this.rotates);
  }

  private issue({ clientId, scope, resource, family }: Grant, withRefresh: boolean): Answer {
    const grant = { clientId, scope, resource, family };
    const accessToken = `access-${random()}`;
    this.access.set(accessToken, grant);
    this.issued.push(accessToken);
    const refreshToken = `refresh-${random()}`;
    if (withRefresh) {
      this.refresh.set(refreshToken, { ...grant, isUsed: false });
      this.issued.push(refreshToken);
    }
    return [
      200,
      {
        ...{ access_token: accessToken, token_type: 'Bearer', expires_in: this.expiresIn },
        ...(scope !== '' && { scope }),
        ...(withRefresh && { refresh_token: refreshToken }),
      },
    ];
  }

  private end(family: string): void {
    for (const tokens of [this.access, this.refresh])
      for (const [token, grant] of tokens) if (grant.family === family) tokens.delete(token);
  }

  private identify(params: URLSearchParams, authorization: string | null): Omit<TokenRequest, 'params'> {
    if (authorization !== null) {
      const [, basic = ''] = /^Basic (.+)$/.exec(authorization) ?? [];
      const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
      return { clientId: this.clients.get(id)?.secret === secret ? id : null, method: 'client_secret_basic' };
    }
    const assertion = params.get('client_assertion');
    if (assertion !== null) return { clientId: this.readAssertion(assertion), method: 'private_key_jwt' };
    const id = params.get('client_id') ?? '';
    const client = this.clients.get(id);
    const secret = params.get('client_secret');
    if (secret !== null)
      return { clientId: client?.secret === secret ? id : null, method: 'client_secret_post' };
    const isPublic = client !== undefined && client.secret === undefined && client.publicKey === undefined;
    return { clientId: isPublic ? id : null, method: 'none' };
  }

  /** Validates a client assertion, RS256 only; returns the client id or null. */
  private readAssertion(assertion: string): string | null {
    const [header = '', payload = '', signature = ''] = assertion.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
    const id = String(claims['sub']);
    const publicKey = this.clients.get(id)?.publicKey;
    if (publicKey === undefined || claims['aud'] !== this.origin) return null;
    const verify = createVerify('RSA-SHA256').update(`${header}.${payload}`);
    return verify.verify(publicKey, Buffer.from(signature, 'base64url')) ? id : null;
  }
}

function refused(status: number, error: string): Answer {
  return [status, { error, error_description: 'a text that quotes sk-canary-of-a-client' }];
}

function random(): string {
  return randomBytes(12).toString('hex');
}
