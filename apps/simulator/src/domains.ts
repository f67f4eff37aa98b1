// Rule-based models for domains: one line each, in any order; their code is in `domains/`.
export { orderClerkModel } from './domains/order-entry/order-clerk-model.js';
export { supportClerkModel } from './domains/support-desk/support-clerk-model.js';
