import type { ToolServer } from '../api/types.js';

/** Things that a call of a server needs from outside. */
export interface ServerNeeds {
  /** Names of tokens that stand in its templates. */
  readonly tokens: readonly string[];
  /** Whether it is used on behalf of a user who has connected to it. */
  readonly isPerUser: boolean;
}

const PLACEHOLDER = /\$\{([A-Za-z0-9_]{1,64})\}/g;

/** Reads what a probe or a trial has to bring. Pure. */
export function needsOf({ config }: Pick<ToolServer, 'config'>): ServerNeeds {
  const { document: _, auth, ...templates } = config;
  const names = [...JSON.stringify(templates).matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  return { tokens: [...new Set(names)], isPerUser: grantOf(auth) === 'authorization_code' };
}

export const needsNothing = ({ tokens, isPerUser }: ServerNeeds): boolean =>
  tokens.length === 0 && !isPerUser;

/** How access tokens of a server are got, in words; null without OAuth. Pure. */
export function consentOf({ config: { auth } }: Pick<ToolServer, 'config'>): string | null {
  switch (grantOf(auth)) {
    case 'authorization_code':
      return 'each user';
    case 'client_credentials':
      return 'the service itself';
    default:
      return null;
  }
}

function grantOf(auth: unknown): unknown {
  return typeof auth === 'object' && auth !== null && 'grant' in auth ? auth.grant : null;
}

/** Address of a server, or the command that runs it. Pure. */
export function addressOf({ type, config }: Pick<ToolServer, 'type' | 'config'>): string {
  const { url, base_url: baseUrl, command, args } = config;
  const more: readonly unknown[] = Array.isArray(args) ? args : [];
  if (type === 'stdio') return [command, ...more].join(' ');
  if (type === 'builtin') return 'this installation';
  const address = url ?? baseUrl;
  return typeof address === 'string' ? address : 'as the description says';
}
