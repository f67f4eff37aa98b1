export { projectDomains } from './project-domains.js';
