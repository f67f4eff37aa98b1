import { defineTool } from '#libs/kit';
import { z } from 'zod';

/** The tool that the measured run calls. */
export const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks up the state of an order.',
  input: z.object({ order: z.number() }),
  effect: 'read',
  run: ({ order }) => ({ order, state: 'shipped' }),
});
