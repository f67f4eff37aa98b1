// A tool server that a worker starts as a process: MCP on standard input and output. It starts a child that does not end by
// itself, so the worker has to end both. `LEDGER_URL` and `CASE` are in its environment.
import { spawn } from 'node:child_process';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { serveLedgeredTools } from './ledgered-tools.js';
import { remoteLedger } from './remote-ledger.js';

const settings = z.object({ LEDGER_URL: z.url(), CASE: z.string() }).parse(process.env);
spawn('sleep', ['3600'], { stdio: 'ignore' });
await serveLedgeredTools(new StdioServerTransport(), settings.CASE, remoteLedger(settings.LEDGER_URL));
