#!/usr/bin/env node
// @ts-check
// Renders the chart into the kustomize base, or validates both and every overlay for Kubernetes and KEDA:
// npm run gen:k8s | check:k8s
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
const { renderBase, renderedManifests } = await import('./kubernetes/render.ts');
const { manifestFaults, readManifests } = await import('./kubernetes/manifest-faults.ts');
const { policyFaults } = await import('./kubernetes/policy-faults.ts');
try {
  if (process.argv.includes('--check')) await check();
  else console.log(`wrote ${await renderBase(ROOT)}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function check() {
  for (const [name, text] of Object.entries(await renderedManifests(ROOT))) {
    const { count, faults: refused } = await manifestFaults(ROOT, text);
    const faults = [...refused, ...(isWhole(name) ? policyFaults(readManifests(text)) : [])];
    console.log(`${name}: ${count} objects, ${faults.length} faults`);
    for (const fault of faults) console.error(`  ${fault}`);
    if (count === 0 || faults.length > 0) process.exitCode = 1;
  }
}

/**
 * Whether the named manifests are a whole installation: no component, and no overlay with trial servers.
 * @param {string} name
 */
function isWhole(name) {
  return !/^overlay|components/.test(name);
}
