export { ApiModule } from './api.module.js';
export { createApiApp } from './create-api-app.js';
export { Companion } from './health/companion.js';
export { SHARED_WITH_API } from './surroundings.js';
