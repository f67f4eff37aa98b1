// @ts-check
// Loaded into every service that a command starts (node --import): when the command is killed, the channel to it
// closes, and the service shuts down as on SIGTERM. JavaScript, so that no service pays for the TypeScript loader.
const GRACE_MS = 15_000;

if (process.channel !== undefined && process.channel !== null) {
  process.channel.unref();
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
}
