/**
 * A handwritten tool server on standard input and output, for tests of processes. `node stdio-server.mjs [deaf]`; a deaf one
 * ignores SIGTERM.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const isDeaf = process.argv.includes('deaf');
if (isDeaf) process.on('SIGTERM', () => undefined);

const TOOLS = ['environment', 'family', 'hang', 'die', 'devour', 'noise', 'chatter'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: {} },
}));

const ACTIONS = {
  environment: () => text(JSON.stringify(process.env)),
  /** Starts a child that does not end by itself and ignores SIGTERM; returns the process ids of both. */
  family: () => {
    const child = spawn(
      process.execPath,
      ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6)'],
      {
        stdio: 'ignore',
      },
    );
    return text(JSON.stringify([process.pid, child.pid]));
  },
  hang: () => null,
  die: () => process.exit(3),
  devour: () => {
    const held = [];
    for (let i = 0; i < 4_000; i += 1) held.push(Buffer.alloc(1_048_576, 1));
    return text(String(held.length));
  },
  noise: () => {
    process.stdout.write('this is no message\n{"jsonrpc":"2.0","id":"somebody else\'s","result":{}}\n\n{');
    process.stdout.write('}\n');
    return text('after the noise');
  },
  chatter: () => {
    process.stdout.write('x'.repeat(11 * 1024 * 1024));
    return null;
  },
};

function text(said) {
  return { content: [{ type: 'text', text: said }] };
}

function answer({ method, params }) {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'stdio', version: '1' },
    };
  if (method === 'tools/list') return { tools: TOOLS };
  if (method === 'tools/call') return ACTIONS[params.name]();
  return {};
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined || message.method === undefined) return;
  const result = answer(message);
  if (result !== null)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`);
});
if (isDeaf) setInterval(() => undefined, 1_000_000);
