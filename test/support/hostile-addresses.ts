/**
 * Hosts of URLs that lead to private networks: as numbers, in other scripts, with a trailing dot, and in every form of IPv6.
 * They are tested at each place where the service calls a tenant's URL.
 */
export const HOSTILE_HOSTS: readonly string[] = [
  ...['127.0.0.1', '127.1', '127.0.1', '0x7f.1', '0x7f000001', '0177.0.0.1', '2130706433', '127.0.0.1.'],
  ...['①②⑦.⓪.⓪.①', '%31%32%37.0.0.1', '0.0.0.0', '0', 'localhost', '10.0.0.1', '172.16.0.1', '192.168.1.1'],
  ...['100.64.0.1', '169.254.169.254', '192.0.0.1', '192.0.2.1', '198.18.0.1', '203.0.113.1', '224.0.0.1'],
  ...['255.255.255.255', '[::]', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001::1]'],
  ...['[fe80::1]', '[fec0::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]', '[100::1]'],
];

/** Texts that are no http or https URL, or hold a password. */
export const HOSTILE_URLS: readonly string[] = [
  ...['ftp://example.com/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'unix:/var/run/docker.sock'],
  ...['data:text/plain,hello', 'http://user:secret@example.com/', '//example.com/', 'example.com', 'http://'],
  ...['http://[::1/', ''],
];

export const REDIRECTS = [301, 302, 303, 307, 308] as const;
