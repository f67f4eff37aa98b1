import { describeStartFailure } from '#libs/observability';
import { projectDomains } from '#libs/project';

/** Contributions of the projects in PROJECT. */
export const domains = await projectDomains(process.env, describeStartFailure);
