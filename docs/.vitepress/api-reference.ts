import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashedName, writeAsset } from './external-scripts.ts';

const REDOC = join(import.meta.dirname, '../../node_modules/redoc');

/** Writes the page `api/`, on which Redoc shows the OpenAPI document of the service that serves the site. */
export function writeApiReference(outDir: string): void {
  const code = readFileSync(join(REDOC, 'bundles/redoc.standalone.js'), 'utf8');
  const name = hashedName('redoc', code);
  writeAsset(outDir, name, code);
  writeAsset(outDir, 'assets/redoc.LICENSE.txt', readFileSync(join(REDOC, 'LICENSE'), 'utf8'));
  writeAsset(outDir, 'api/index.html', pageWith(`../${name}`));
}

function pageWith(script: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>API reference | Capstan</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" type="image/svg+xml" href="../icon.svg" />
    <script type="module" src="${script}"></script>
  </head>
  <body style="margin: 0">
    <redoc spec-url="../../openapi.json" disable-telemetry="true"></redoc>
  </body>
</html>
`;
}
