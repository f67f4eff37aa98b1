// @ts-check
// Loaded into the measured service: writes what ran since the last time to the folder of NODE_V8_COVERAGE.
import { takeCoverage } from 'node:v8';

process.on('SIGUSR2', () => takeCoverage());
