import {
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { NoAnswerError } from '#libs/guarded-fetch';
import { ToolServerFailure, type ToolServerFault } from '#libs/tooling';
import { AWAY } from './oauth-fetch.js';

/**
 * Converts an OAuth error. The message is ours: an authorization server's error text may quote credentials, so it is
 * dropped.
 */
export function toOAuthFailure(error: unknown): ToolServerFailure {
  if (error instanceof ToolServerFailure) return error;
  const [fault, message] = explain(error);
  return new ToolServerFailure(fault, message);
}

function explain(error: unknown): [ToolServerFault, string] {
  const unanswered = noAnswerBehind(error);
  if (unanswered !== null) return explainNoAnswer(unanswered);
  if (error instanceof Error && error.name === 'TimeoutError') return AWAY;
  if (error instanceof TemporarilyUnavailableError) return AWAY;
  // The library's error for an unreadable response.
  if (error instanceof ServerError) return NOT_OAUTH;
  if (error instanceof OAuthError)
    return ['unauthorized', `the authorization server refused the client: ${error.errorCode}`];
  return NOT_OAUTH;
}

const NOT_OAUTH: [ToolServerFault, string] = [
  'protocol',
  'what answers as the authorization server does not speak OAuth as it should',
];

function explainNoAnswer({ reason }: NoAnswerError): [ToolServerFault, string] {
  if (reason === 'blocked_address' || reason === 'invalid_url' || reason === 'refused_redirect')
    return ['refused_address', 'the address of the authorization server may not be called'];
  return reason === 'too_long' ? NOT_OAUTH : AWAY;
}

function noAnswerBehind(error: unknown): NoAnswerError | null {
  for (let next = error; next instanceof Error; next = next.cause)
    if (next instanceof NoAnswerError) return next;
  return null;
}
