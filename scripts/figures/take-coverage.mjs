// @ts-check
// Loaded into the measured service: a signal writes the coverage since the last one to the folder of NODE_V8_COVERAGE.
import { takeCoverage } from 'node:v8';

process.on('SIGUSR2', () => takeCoverage());
