// Whether a host is this machine. A lock file says where the server of a data folder is reached, and a data folder may come from somebody
// else: what a person asks and hands in must not go where a stranger's file says.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface MachinePorts {
  /** Every address of a name. Default: the system's look-up. */
  readonly addressesOf?: (name: string) => Promise<readonly string[]>;
  /** Addresses of this machine's own interfaces. Default: as the system tells them. */
  readonly own?: () => readonly string[];
}

const everyInterface: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const loopback = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/u;

const systemAddresses = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((some) => some?.map(({ address }) => address) ?? []);

/**
 * The address under which a server on `host` of this machine is reached; undefined where the host is another machine, or nobody knows it.
 * A name is looked up once, and what came of that is used: it may mean something else a moment later.
 */
export async function addressOnThisMachine(host: string, ports: MachinePorts = {}): Promise<string | undefined> {
  const { addressesOf = systemAddresses, own = ownAddresses } = ports;
  if (everyInterface.has(host)) return host;
  const addresses = isIP(host) > 0 ? [host] : await addressesOf(host).catch(() => []);
  const mine = new Set(own());
  const isMine = addresses.every((address) => loopback.test(address) || mine.has(address.split('%', 1)[0] ?? ''));
  return isMine ? addresses[0] : undefined;
}
