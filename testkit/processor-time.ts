// Processor time that this process has used since, in milliseconds: what a test may set a limit to. The clock on the wall also counts what other
// programs on the machine take, so that a limit on it says nothing of the code and fails where the machine is busy.
export function startProcessorTime(): () => number {
  const from = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  };
}
