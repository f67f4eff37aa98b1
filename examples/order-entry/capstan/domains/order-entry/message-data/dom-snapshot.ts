import { z } from 'zod';
import { jsonSchema } from '../values.ts';

/** Page that the user had open when the message was sent, as captured by the front end. Further fields are kept. */
export const domSnapshotInputSchema = z
  .object({
    url: z.string().max(2_048).exactOptional(),
    title: z.string().max(500).exactOptional(),
    html: z.string().max(500_000).exactOptional(),
  })
  .catchall(jsonSchema);
