import { expect, it } from '@jest/globals';
import { attachmentNamed } from './attachment.js';

it.each([
  ['rules.pdf', 'rules.pdf'],
  ['Übersicht 報告.md', '%C3%9Cbersicht%20%E5%A0%B1%E5%91%8A.md'],
  [`it's (new)*.md`, 'it%27s%20%28new%29%2A.md'],
  ['../a\\b\r\nSet-Cookie: x=1"; x', '.._a_b__Set-Cookie%3A%20x%3D1%22%3B%20x'],
  ['', ''],
])('a file named %j is an attachment of a name that says nothing else', (name, encoded) => {
  expect(attachmentNamed(name)).toBe(`attachment; filename*=UTF-8''${encoded}`);
});
