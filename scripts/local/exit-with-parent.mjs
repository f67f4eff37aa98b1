// Loaded into every service that a command starts (node --import): when the command is killed, the channel to it
// closes, and the service ends as if it had been asked to.
const GRACE_MS = 15_000;

if (process.channel !== undefined && process.channel !== null) {
  process.channel.unref();
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
}
