// Every way out of the process refused while some work runs: sockets, names, datagrams, processes. Whatever tried is counted.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

/** Runs `work` with all ways out blocked; returns what it gave and who tried to get out. */
export async function withBlockedSockets<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly tried: readonly string[] }> {
  const tried: string[] = [];
  const refuse = (what: string) => (): never => {
    tried.push(what);
    throw new Error(`${what} is blocked.`);
  };
  const places: readonly (readonly [target: object, name: string])[] = [
    [net.Socket.prototype, 'connect'],
    [net.Server.prototype, 'listen'],
    [dgram.Socket.prototype, 'send'],
    [dns, 'lookup'],
    [dns.promises, 'lookup'],
    [childProcess, 'spawn'],
    [childProcess, 'fork'],
  ];
  const kept = places.map(([target, name]) => [target, name, Reflect.get(target, name) as unknown] as const);
  for (const [target, name] of places) Reflect.set(target, name, refuse(name));
  try {
    return { value: await work(), tried };
  } finally {
    for (const [target, name, member] of kept) Reflect.set(target, name, member);
  }
}
