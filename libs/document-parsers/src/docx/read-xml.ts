import { Parser } from 'htmlparser2';
import { UnreadableDocumentError } from '#libs/knowledge';

export type Attributes = Readonly<Record<string, string>>;

/** Receives elements in order, with the namespace prefixes that Word uses. */
export interface XmlHandler {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Maximum nesting of elements, beyond that of any real document. */
const MAX_DEPTH = 500;

/** Word's prefixes of namespaces, including the strict ones (ECMA-376, part 1, annex A). */
const PREFIXES: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w:',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w:',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm:',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm:',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc:',
};

/** Parses a part while its bytes arrive. Awaits `between` after each chunk. */
export async function readXml(
  part: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const names = new PrefixedNames();
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > MAX_DEPTH) throw new UnreadableDocumentError('too_complex');
        names.declare(attributes);
        handler.open(names.known(name), names.knownAttributes(attributes));
      },
      ontext: (text) => handler.text?.(text),
      onclosetag: (name) => {
        depth -= 1;
        handler.close?.(names.known(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const bytes of part) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    parser.write(decoder.decode(bytes, { stream: true }));
    await between();
  }
  parser.end();
  await between();
}

/** Maps other programs' namespace prefixes to Word's. */
class PrefixedNames {
  private readonly renamed = new Map<string, string>();

  declare(attributes: Attributes): void {
    for (const name in attributes) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
      const known = PREFIXES[attributes[name] ?? ''];
      const prefix = name === 'xmlns' ? '' : `${name.slice('xmlns:'.length)}:`;
      if (known !== undefined && known !== prefix) this.renamed.set(prefix, known);
    }
  }

  known(name: string): string {
    if (this.renamed.size === 0) return name;
    const prefix = name.slice(0, name.indexOf(':') + 1);
    const known = this.renamed.get(prefix);
    return known === undefined ? name : known + name.slice(prefix.length);
  }

  knownAttributes(attributes: Attributes): Attributes {
    if (this.renamed.size === 0) return attributes;
    return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [this.known(name), value]));
  }
}

/** Encoding by the byte order mark; UTF-8 without one (ECMA-376, part 2, 10.1.2). */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
