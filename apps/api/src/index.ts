export { ApiModule } from './api.module.js';
export { createApiApp } from './create-api-app.js';
export { NEAR_WORKER } from './api.tokens.js';
export { Companion } from './health/companion.js';
export { SHARED_WITH_API } from './surroundings.js';
