import type { ExecutionWithRequest } from '../../api/types.js';
import { visibleJsonText } from '../../format/visible-text.js';

type Request = Pick<ExecutionWithRequest, 'agent_id' | 'input' | 'options' | 'executor' | 'metadata'>;

/**
 * A command of a shell that submits the request of a run once more, as the first turn of another session. It has `$API_KEY`
 * in place of a key. Tokens, files and context of the request are not taken along. Pure.
 */
export function curlCommand(run: Request, origin: string): string {
  const { agent_id: agent, input, options, executor, metadata } = run;
  const body = {
    input,
    ...(Object.keys(options).length > 0 && { options }),
    ...(executor !== null && { executor }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  const lines = [
    `curl -s ${origin}/api/agents/${agent}/execute/`,
    '-H "Authorization: Bearer $API_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${quoted(visibleJsonText(body))}`,
  ];
  return lines.join(' \\\n  ');
}

/** One word of a POSIX shell, in which nothing is replaced. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
