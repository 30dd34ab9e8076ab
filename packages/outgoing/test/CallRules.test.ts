/** The tables of what may be called. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer } from "effect"
import { isPublic, range } from "../src/Address.ts"
import { CallRules, mayReach, type Rules, type UrlFault, urlFault } from "../src/CallRules.ts"

const strict: Rules = { allowed: [], loopback: false }
const own: Rules = { allowed: [], loopback: true }
const inner: Rules = { allowed: [range("10.2.0.0/16")!, range("fd00:12::/32")!], loopback: false }

const cases: ReadonlyArray<readonly [url: string, fault: UrlFault | undefined]> = [
  ["https://hooks.example.com/in?x=1", undefined],
  ["https://hooks.example.com:443/", undefined],
  ["https://hooks.example.com:8443/", undefined],
  ["https://HOOKS.example.COM/", undefined],
  ["https://bücher.example/", undefined],
  ["https://93.184.215.14/", undefined],
  ["https://[2606:4700::1111]/", undefined],
  ["http://hooks.example.com/", "SCHEME"],
  ["ftp://hooks.example.com/", "SCHEME"],
  ["file:///etc/passwd", "SCHEME"],
  ["gopher://hooks.example.com/", "SCHEME"],
  ["hooks.example.com/in", "SCHEME"],
  ["//hooks.example.com/in", "SCHEME"],
  ["javascript:alert(1)", "SCHEME"],
  ["https://user@hooks.example.com/", "CREDENTIALS"],
  ["https://:word@hooks.example.com/", "CREDENTIALS"],
  ["https://hooks.example.com@127.0.0.1/", "CREDENTIALS"],
  ["https://hooks.example.com/#part", "FRAGMENT"],
  ["https://hooks.example.com/#", "FRAGMENT"],
  ["https://hooks.example.com:22/", "PORT"],
  ["https://hooks.example.com:80/", "PORT"],
  ["https://hooks.example.com:0/", "PORT"],
  ["https://hooks.example.com:1023/", "PORT"],
  ["https://hooks.example.com:1024/", undefined],
  ["https://127.0.0.1/", "ADDRESS"],
  ["https://0x7f.1/", "ADDRESS"],
  ["https://0177.0.0.1/", "ADDRESS"],
  ["https://2130706433/", "ADDRESS"],
  ["https://127.1/", "ADDRESS"],
  ["https://①②⑦.⓪.⓪.①/", "ADDRESS"],
  ["https://169.254.169.254/latest/meta-data", "ADDRESS"],
  ["https://[::1]/", "ADDRESS"],
  ["https://[::ffff:127.0.0.1]/", "ADDRESS"],
  ["https://[::ffff:a9fe:a9fe]/", "ADDRESS"],
  ["https://[64:ff9b::7f00:1]/", "ADDRESS"],
  ["https://[fe80::1]/", "ADDRESS"],
  ["https://0/", "ADDRESS"],
  ["https://localhost/", "NAME"],
  ["https://api.localhost/", "NAME"],
  ["https://localhost./", "NAME"],
  ["https://intranet/", "NAME"],
  ["https://printer.local/", "NAME"],
  ["https://metadata.google.internal/", "NAME"],
  ["https://router.home.arpa/", "NAME"],
  ["https://hooks.example.com./", "NAME"],
  ["https://hooks..example.com/", "NAME"],
  ["https:// hooks.example.com/", "NAME"],
  ["https://hooks.exam\nple.com/", "NAME"],
  [" https://hooks.example.com/", "NAME"],
  [`https://${"a".repeat(64)}.example.com/`, "NAME"],
  ["https:///", "NAME"],
  ["", "SCHEME"]
]

describe("an URL", () => {
  for (const [url, fault] of cases) {
    it(`${JSON.stringify(url)} is ${fault ?? "called"}`, () => {
      assert.strictEqual(urlFault(url, strict), fault)
    })
  }

  it("may be of this machine, by http too, where the rules say so", () => {
    for (const url of [
      "http://localhost:3000/hooks",
      "http://127.0.0.1:3000/",
      "http://[::1]:3000/",
      "http://acme.localhost:3000/",
      "https://127.0.0.1/"
    ]) {
      assert.isUndefined(urlFault(url, own), url)
    }
    assert.strictEqual(urlFault("http://hooks.example.com:3000/", own), "SCHEME")
    assert.strictEqual(urlFault("http://10.2.0.1:3000/", own), "SCHEME")
    assert.strictEqual(urlFault("http://localhost:80/", own), "PORT")
    assert.strictEqual(urlFault("https://10.2.0.1/", own), "ADDRESS")
  })

  it("may be of a network that the operator has allowed, by https alone", () => {
    assert.isUndefined(urlFault("https://10.2.3.4/", inner))
    assert.isUndefined(urlFault("https://[fd00:12::1]/", inner))
    assert.isUndefined(urlFault("https://hooks.internal/", inner))
    assert.strictEqual(urlFault("https://10.3.0.1/", inner), "ADDRESS")
    assert.strictEqual(urlFault("http://10.2.3.4:8080/", inner), "SCHEME")
    assert.strictEqual(urlFault("https://localhost/", inner), "NAME")
  })
})

describe("an address", () => {
  const publicOnes = ["1.1.1.1", "8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::5"]
  const others = {
    loopback: ["127.0.0.1", "127.255.255.254", "::1"],
    private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    linkLocal: ["169.254.169.254", "fe80::1", "fe80::1%eth0"],
    shared: ["100.64.0.1", "100.127.255.255"],
    unspecified: ["0.0.0.0", "0.1.2.3", "::"],
    documentation: ["192.0.2.1", "198.51.100.7", "203.0.113.9", "2001:db8::1", "3fff::1"],
    benchmark: ["198.18.0.1", "198.19.255.255", "2001:2::1"],
    multicast: ["224.0.0.1", "239.255.255.250", "ff02::1"],
    reserved: ["192.0.0.8", "240.0.0.1", "255.255.255.255", "192.88.99.1"],
    uniqueLocal: ["fc00::1", "fd12:3456::1", "fd00:ec2::254"],
    mapped: ["::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:7f00:1"],
    nat64: ["64:ff9b::a00:1", "64:ff9b:1::1"],
    sixToFour: ["2002:7f00:1::", "2002:a00:1::1"],
    teredo: ["2001:0:4136:e378::1"],
    outside: ["4000::1", "1000::1", "::2", "100::1"],
    platform: ["168.63.129.16"],
    none: ["", "example.com", "1.2.3", "0x7f.1", "010.0.0.1", "1.2.3.4.5", "256.1.1.1"]
  }

  it("is public where any host on the internet may have it", () => {
    for (const address of publicOnes) assert.isTrue(isPublic(address), address)
  })

  for (const [kind, addresses] of Object.entries(others)) {
    it(`is not public: ${kind}`, () => {
      for (const address of addresses) {
        assert.isFalse(isPublic(address), address)
        assert.isFalse(mayReach(address, strict), address)
      }
    })
  }

  it("counts as public within an IPv6 one if it is", () => {
    assert.isTrue(isPublic("::ffff:8.8.8.8"))
  })

  it("is reached where the operator has allowed its range, mapped too", () => {
    assert.isTrue(mayReach("10.2.255.1", inner))
    assert.isTrue(mayReach("::ffff:10.2.0.1", inner))
    assert.isTrue(mayReach("fd00:12::9", inner))
    assert.isFalse(mayReach("10.3.0.1", inner))
    assert.isFalse(mayReach("127.0.0.1", inner))
  })
})

describe("the rules of a program", () => {
  const read = (variables: Readonly<Record<string, string>>) =>
    CallRules.pipe(
      Effect.provide(
        Layer.provide(CallRules.layer, ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
      ),
      Effect.exit
    )

  it.effect("allow this machine outside production, while the program listens on it", () =>
    Effect.gen(function* () {
      const allowed = Effect.map(
        Effect.forEach(
          [
            { ENVIRONMENT: "sandbox" },
            { ENVIRONMENT: "sandbox", HOST: "::1" },
            { ENVIRONMENT: "sandbox", HOST: "0.0.0.0" },
            { ENVIRONMENT: "production" },
            { ENVIRONMENT: "production", HOST: "127.0.0.1" }
          ],
          read
        ),
        (exits) => exits.map((exit) => Exit.isSuccess(exit) && exit.value.loopback)
      )
      assert.deepStrictEqual(yield* allowed, [true, true, false, false, false])
    })
  )

  it.effect("read the operator's ranges, and refuse what is none", () =>
    Effect.gen(function* () {
      const given = yield* read({ WEBHOOK_ALLOW: "10.2.0.0/16, fd00:12::/32,192.168.1.7" })
      assert.isTrue(Exit.isSuccess(given) && mayReach("192.168.1.7", given.value))
      assert.isFalse(Exit.isSuccess(given) && mayReach("192.168.1.8", given.value))
      assert.isTrue(Exit.isFailure(yield* read({ WEBHOOK_ALLOW: "10.2.0.0/33" })))
      assert.isTrue(Exit.isFailure(yield* read({ WEBHOOK_ALLOW: "example.com" })))
    })
  )
})
