export { createPlainServer } from './create-plain-server.js';
export { GUARDED_SERVER, guardProtocol } from './guard-protocol.js';
export { PROBLEM_MEDIA_TYPE, PROTOCOL_FAULTS, type FaultWords } from './protocol-faults.js';
