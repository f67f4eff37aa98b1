export { allowLongBody, BodyArrivals, longestArrivalMs } from './body-arrivals.js';
export { createPlainServer } from './create-plain-server.js';
export { GUARDED_SERVER, guardProtocol } from './guard-protocol.js';
export { whenClosed, type Closing } from './when-closed.js';
export { PROBLEM_MEDIA_TYPE, PROTOCOL_FAULTS, type FaultWords } from './protocol-faults.js';
