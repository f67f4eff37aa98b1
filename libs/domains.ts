// The domains that DOMAINS may name: one line each, in any order (docs/contributing/playbooks/domain.md).
export { orderEntry } from '#libs/order-entry';
