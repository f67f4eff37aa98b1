// @ts-check
/**
 * Values as lines of JSON, both ways over one connection.
 * @param {import('node:net').Socket} socket
 * @param {(value: any) => void} onValue
 * @returns {(value: object) => void} sends a value
 */
export function linesOf(socket, onValue) {
  let rest = '';
  socket.setNoDelay(true);
  socket.setEncoding('utf8').on('data', (text) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onValue(JSON.parse(line));
  });
  return (value) => void socket.write(`${JSON.stringify(value)}\n`);
}
