import { parseSimulatorConfig } from './simulator-config.js';
import { startSimulator } from './simulator.js';

const parsed = parseSimulatorConfig(process.env);
if ('problem' in parsed) {
  console.error(parsed.problem);
  process.exit(1);
}

try {
  const simulator = await startSimulator(parsed.config);
  console.log(`simulator listening on ${simulator.url}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void simulator.close());
} catch (error) {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected error';
  console.error(`simulator: cannot listen on ${parsed.config.host}:${parsed.config.port}: ${reason}`);
  process.exit(1);
}
