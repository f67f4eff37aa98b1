import * as restate from '@restatedev/restate-sdk';
import { runAgentLoop } from './agent-loop.mjs';

const agent = restate.service({
  name: 'agent',
  handlers: {
    run: (context, { input }) => runAgentLoop(input, (name, work) => context.run(name, work)),
  },
});
await restate.serve({ services: [agent], port: Number(process.env.PORT) });
process.once('SIGTERM', () => process.exit(0));
