// Models that play the part of one for a domain, by rules of their own: one line each, in any order; their code is in
// `domains/`.
export { orderClerkModel } from './domains/order-entry/order-clerk-model.js';
export { supportClerkModel } from './domains/support-desk/support-clerk-model.js';
