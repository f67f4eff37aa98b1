import { isRefusal } from '#libs/kit';
import { AppError } from '#libs/kernel';
import { RequestFaultError } from '#libs/tooling';

/** The error of the service that a refusal of a domain stands for; any other value stays as it is. */
function toAppError(thrown: unknown): unknown {
  if (!isRefusal(thrown)) return thrown;
  const { kind, code, message, faults } = thrown;
  const isOfBody = kind === 'invalid_input' || kind === 'unprocessable';
  if (isOfBody && faults.length > 0) return new RequestFaultError(faults, { code, kind });
  return new AppError({ code, kind, message, cause: thrown });
}

/** Runs code of a domain, whose refusals become errors of the service. */
export async function translated<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw toAppError(error);
  }
}
