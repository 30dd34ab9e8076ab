import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as SourceAddress from "../src/SourceAddress.ts"

describe("SourceAddress.key", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::1", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]", "2001:db8:1:2::/64"],
    ["2001:db8:0:0:1::", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
    ["192.0.2.7:4711", "192.0.2.7"],
    ['"192.0.2.7:4711"', "192.0.2.7"],
    [" 192.0.2.7:0 ", "192.0.2.7"],
    ["[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
    ['"[2001:db8:1:2::1]:443"', "2001:db8:1:2::/64"],
    ["[::ffff:192.0.2.7]:80", "192.0.2.7"],
    // Hexadecimal digits at the end of an address are no port.
    ["2001:db8:1:2:3:4:5:4711", "2001:db8:1:2::/64"],
    ["192.0.2.7:port", "unknown"],
    ["192.0.2:80", "unknown"],
    ["not an address", "unknown"],
    ["", "unknown"]
  ])("takes %s for %s", (address, key) => {
    assert.strictEqual(SourceAddress.key(address), key)
  })

  const Group = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))
  const Half = Schema.Tuple([Group, Group, Group, Group])
  // Below ::/64 lie the IPv4 addresses written as IPv6, which the cases above are about.
  const Network = Schema.Tuple([Group.check(Schema.isGreaterThan(0)), Group, Group, Group])

  it.prop(
    "AN-07 takes all addresses of one /64 for one, and of another for another",
    [Network, Network, Half, Half],
    ([network, other, host, otherHost]) => {
      const address = (high: ReadonlyArray<number>, low: ReadonlyArray<number>) =>
        [...high, ...low].map((group) => group.toString(16)).join(":")
      const key = SourceAddress.key(address(network, host))
      assert.strictEqual(key, SourceAddress.key(address(network, otherHost)))
      assert.strictEqual(
        key === SourceAddress.key(address(other, host)),
        network.join() === other.join()
      )
    },
    { arbitrary: { runs: 500 } }
  )
})
