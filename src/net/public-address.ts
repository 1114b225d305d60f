// Which addresses belong to the public internet. Invariant: what is not known to be public is not: of IPv6 only global unicast counts, and no
// form that carries an IPv4 address inside (mapped, NAT64, 6to4, Teredo), whatever that address is. The tables are the special-purpose
// registries of IANA (RFC 6890 and its updates) and the addresses at which clouds tell machines their secrets.
import { BlockList, isIP } from 'node:net';

/** `private`: a network of the operator's own, which may be opened by name. `never`: nothing that is ever asked. */
export type AddressKind = 'public' | 'private' | 'never';

const listOf = (family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
};

const never4 = listOf('ipv4', [
  '0.0.0.0/8', // this host
  '100.100.100.200/32', // metadata (Alibaba)
  '168.63.129.16/32', // the machine's own host (Azure)
  '169.254.0.0/16', // link-local, metadata of most clouds
  '192.0.0.0/24', // protocol assignments, metadata (Oracle)
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // 6to4 relays
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);
const private4 = listOf('ipv4', [
  '10.0.0.0/8',
  '100.64.0.0/10', // shared by the customers of a provider
  '127.0.0.0/8', // this machine
  '172.16.0.0/12',
  '192.168.0.0/16',
]);
const never6 = listOf('ipv6', [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
  'fd00:ec2::254/128', // metadata (Amazon)
  'fd20:ce::254/128', // metadata (Google)
]);
const private6 = listOf('ipv6', ['::1/128', 'fc00::/7']);
const unicast6 = listOf('ipv6', ['2000::/3']);

/** What is no address at all, or names a network interface, is `never`. */
export function kindOfAddress(address: string): AddressKind {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 4) {
    if (never4.check(address)) return 'never';
    return private4.check(address) ? 'private' : 'public';
  }
  if (version === 0 || never6.check(address, 'ipv6')) return 'never';
  if (private6.check(address, 'ipv6')) return 'private';
  return unicast6.check(address, 'ipv6') ? 'public' : 'never';
}
