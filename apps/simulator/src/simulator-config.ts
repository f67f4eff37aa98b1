import { z } from 'zod';

const schema = z.object({
  SIMULATOR_HOST: z.string().min(1).default('127.0.0.1'),
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(4010),
  SIMULATOR_API_KEY: z
    .string()
    .optional()
    .transform((key) => (key === undefined || key === '' ? null : key)),
});

export interface SimulatorConfig {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Null accepts every key. */
  readonly apiKey: string | null;
}

/** Parses the environment. Returns the config, or one line that names every invalid variable. */
export function parseSimulatorConfig(
  env: Readonly<Record<string, string | undefined>>,
): { readonly config: SimulatorConfig } | { readonly problem: string } {
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.map(String).join('.')}: ${issue.message}`,
    );
    return { problem: `simulator: the environment is wrong: ${problems.join('; ')}` };
  }
  const { SIMULATOR_HOST: host, SIMULATOR_PORT: port, SIMULATOR_API_KEY: apiKey } = parsed.data;
  return { config: { host, port, apiKey } };
}
