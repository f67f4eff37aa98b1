import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import type { ListedTool } from './engine-options.js';
import type { FolderLimits } from './folder-use.js';

/** Order to begin a conversation. It travels on the program's input, since it holds keys. */
export interface OpenOrder {
  readonly kind: 'open';
  /** Path of the SDK's module. */
  readonly sdk: string;
  readonly options: JsonObject;
  readonly environment: Readonly<Record<string, string>>;
  readonly tools: readonly ListedTool[];
  readonly entries: readonly JsonObject[];
  readonly prompt: readonly JsonObject[];
  /** Maximum resident memory of the engine, in bytes. */
  readonly mostRssBytes: number;
  /** Maximum bytes and number of the files that the engine writes. */
  readonly mostFiles: FolderLimits;
}

/** Output of a call that the engine waits for. */
export interface OutputOrder {
  readonly kind: 'output';
  readonly callId: string;
  readonly text: string;
}

/** Lines from a worker to the program that runs the engine. */
export type EngineOrder = OpenOrder | OutputOrder;

/** Lines from that program to the worker. */
export const engineLineSchema = z.discriminatedUnion('kind', [
  /** A message of the engine, as it came. */
  z.object({ kind: z.literal('message'), message: z.record(z.string(), z.unknown()) }),
  /** The engine waits for the output of this call. */
  z.object({ kind: z.literal('asked'), callId: z.string() }),
  z.object({
    kind: z.literal('failed'),
    reason: z.enum([
      'not_installed',
      'out_of_memory',
      'out_of_disk',
      'unmeasured',
      'files_unmeasured',
      'broken',
    ]),
  }),
  /** The engine has ended the conversation. */
  z.object({ kind: z.literal('ended') }),
]);
export type EngineLine = z.infer<typeof engineLineSchema>;
