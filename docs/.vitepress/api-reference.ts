import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashedName, writeAsset } from './external-scripts.ts';

const REDOC = join(import.meta.dirname, '../../node_modules/redoc');
/** Addresses from which Redoc loads its logo: the policy of the service allows no foreign origin. */
const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;
const DRAWN_LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="12"><text y="10" font-family="sans-serif" font-size="11" font-weight="bold" fill="#3b82f6">Redocly</text></svg>',
)}`;

/** Writes the page `api/`, on which Redoc shows the OpenAPI document of the service that serves the site. */
export function writeApiReference(outDir: string): void {
  const bundle = readFileSync(join(REDOC, 'bundles/redoc.standalone.js'), 'utf8');
  const code = bundle.replace(LOGO, DRAWN_LOGO);
  if (code === bundle) throw new Error('Redoc no longer loads its logo from the address that is replaced.');
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
