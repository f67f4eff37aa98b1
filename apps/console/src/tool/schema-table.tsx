import { schemaRows } from './schema-fields.js';

/** Arguments of a tool as a table: name, type, meaning, and what is allowed. */
export function SchemaTable({ schema }: { readonly schema: Readonly<Record<string, unknown>> }) {
  const rows = schemaRows(schema);
  if (rows.length === 0) return <p className="text-muted">None are described.</p>;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Table of arguments">
      <table className="w-full text-left">
        <thead className="text-sm text-muted">
          <tr className="border-b border-line">
            <th className="py-1 pr-4 font-normal">Argument</th>
            <th className="py-1 pr-4 font-normal">Type</th>
            <th className="py-1 font-normal">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, type, isRequired, description, rules }) => (
            <tr key={path} className="border-b border-line align-top">
              <td className="py-1.5 pr-4">
                <span className="font-mono text-sm wrap-anywhere">{path}</span>
                {isRequired && <span className="text-sm whitespace-nowrap text-action"> required</span>}
              </td>
              <td className="py-1.5 pr-4 whitespace-nowrap text-muted">{type}</td>
              <td className="min-w-40 py-1.5 wrap-anywhere">
                {description.slice(0, 2000)}
                {rules !== '' && <span className="block text-sm text-muted">{rules.slice(0, 1000)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
