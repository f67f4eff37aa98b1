import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import type { Logger } from '#libs/observability';

/** Serving without keys in production has to be asked for twice, and is said loudly. Throws `INVALID_CONFIGURATION`. */
export function warnOfDisabledAuth({ environment, http }: AppConfig, logger: Logger): void {
  if (environment !== 'production' || http.auth !== 'off') return;
  if (!http.isOpenInProduction) {
    throw new AppError({
      code: 'INVALID_CONFIGURATION',
      kind: 'invalid_input',
      message:
        'AUTH: "off" under NODE_ENV=production lets every program of this machine act without a key; set AUTH=api-key, or AUTH_OFF_IN_PRODUCTION=true if that is what you want',
    });
  }
  logger.warn(
    { auth: http.auth },
    'AUTH=off in production: every program of this machine acts for the tenant "default" without a key',
  );
}
