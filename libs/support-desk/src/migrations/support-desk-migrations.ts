import { CreateSupportDesk1764000000066 } from './create-support-desk.migration.js';

/** For the `migrations` of a DataSource, oldest first. The support desk owns its tables and its migrations. */
export const supportDeskMigrations = [CreateSupportDesk1764000000066];
