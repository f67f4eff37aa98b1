/** A PDF with a page for each text, one line each (ISO 32000-1, 7.5). `padBytes` bytes of padding make it longer. */
export function aPdf(
  pages: readonly string[],
  { encrypt = false, padBytes = 0 }: { readonly encrypt?: boolean; readonly padBytes?: number } = {},
): Buffer {
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_page, index) => `${4 + index * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [index, text] of pages.entries()) {
    const stream = text === '' ? '' : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  }
  if (padBytes > 0) objects.push(`<< /Length ${padBytes} >>\nstream\n${' '.repeat(padBytes)}\nendstream`);
  const key = '00'.repeat(32);
  if (encrypt) objects.push(`<< /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`);
  return assemble(objects, encrypt);
}

function assemble(objects: readonly string[], isEncrypted: boolean): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const encryption = isEncrypted ? ` /Encrypt ${objects.length} 0 R /ID [<00><00>]` : '';
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${encryption} >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${trailer}`,
    'latin1',
  );
}
