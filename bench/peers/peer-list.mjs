// @ts-check
import { bullmq } from './systems/bullmq.mjs';
import { dbos } from './systems/dbos.mjs';
import { floor } from './systems/floor.mjs';
import { langgraph } from './systems/langgraph.mjs';
import { mastra } from './systems/mastra.mjs';
import { restate } from './systems/restate.mjs';

/** @type {readonly import('./peer-system.mjs').PeerSystem[]} */
export const PEERS = [floor, bullmq, restate, dbos, langgraph, mastra];

export const FOLLOWED = 'followed';
/** Capstan, and Capstan whose runs of two requests are followed. */
export const OURS = ['capstan', FOLLOWED];
