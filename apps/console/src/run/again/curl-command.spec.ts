import { describe, expect, it } from '@jest/globals';
import { curlCommand } from './curl-command.js';

const ORIGIN = 'https://capstan.example';
const run = { agent_id: 7, input: 'x', options: {}, executor: null, metadata: {} };
const bodyOf = (command: string): string => command.slice(command.indexOf('-d ') + 3);

describe('the command that submits a request again', () => {
  it('posts the request, with a name in place of a key', () => {
    expect(curlCommand(run, ORIGIN).split(' \\\n  ')).toEqual([
      `curl -s ${ORIGIN}/api/agents/7/execute/`,
      '-H "Authorization: Bearer $API_KEY"',
      "-H 'Content-Type: application/json'",
      `-d '{"input":"x"}'`,
    ]);
  });

  it('holds options, executor and metadata where there are any', () => {
    const more = { options: { max_cost_usd: 1 }, executor: { user_id: 'u7' }, metadata: { ticket: 'T-1' } };
    expect(bodyOf(curlCommand({ ...run, ...more }, ORIGIN))).toBe(
      `'{"input":"x","options":{"max_cost_usd":1},"executor":{"user_id":"u7"},"metadata":{"ticket":"T-1"}}'`,
    );
  });

  it('gives the shell and the terminal nothing to act on', () => {
    const input = "It's $(id) `id` \\\n\u001b[31m\u007f\u009b\u202e";
    expect(bodyOf(curlCommand({ ...run, input }, ORIGIN))).toBe(
      String.raw`'{"input":"It'\''s $(id) ${'`id`'} \\\n\u001b[31m\u007f\u009b\u202e"}'`,
    );
  });
});
