import {
  accountFor,
  type BankAccount,
  CreditorIdentifier,
  rivalOf
} from "../../src/payments/BankAccount.ts"
import { Iban, needsAddress } from "../../src/payments/Iban.ts"
import { fromEpochMillis } from "../../src/values/Instant.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"

const instant = (text: string) => fromEpochMillis(Date.parse(text))
const now = instant("2026-11-24T09:00:00Z")
const decoded = (text: string) => Schema.decodeUnknownResult(Iban)(text)

describe("Iban", () => {
  it("takes an account as people write it, and is then in one form", () => {
    for (const text of ["FR7699999000010000000000115", "fr76 9999 9000 0100 0000 0000 115"]) {
      assert.deepStrictEqual(decoded(text), Result.succeed("FR7699999000010000000000115"))
    }
  })

  it("refuses each single wrong digit and each transposition, and repeats nothing of the text", () => {
    const sound = "FR7699999000010000000000115"
    const wrong = new Set<string>()
    for (let at = 2; at < sound.length; at++) {
      for (const digit of "0123456789") wrong.add(sound.slice(0, at) + digit + sound.slice(at + 1))
      const [a, b] = [sound[at]!, sound[at + 1] ?? ""]
      wrong.add(sound.slice(0, at) + b + a + sound.slice(at + 2))
    }
    wrong.delete(sound)
    assert.isAbove(wrong.size, 200)
    for (const text of wrong) {
      const result = decoded(text)
      assert.isTrue(Result.isFailure(result), text)
    }
  })

  it("refuses an account outside SEPA, and one of another length than its country's", () => {
    // Sound check digits: of Turkey, and of France with a digit too many.
    assert.isTrue(Result.isFailure(decoded("TR330006100519786457841326")))
    assert.isTrue(Result.isFailure(decoded("FR76999990000100000000001150")))
    assert.isTrue(Result.isFailure(decoded("")))
  })

  it("knows whose banks want an address", () => {
    assert.isTrue(needsAddress("CH"))
    assert.isFalse(needsAddress("FR"))
  })
})

describe("CreditorIdentifier", () => {
  const isSound = Schema.is(CreditorIdentifier)

  it("has check digits over all but the business code", () => {
    assert.isTrue(isSound("DE98ZZZ09999999999"))
    assert.isTrue(isSound("DE98ABC09999999999"))
    assert.isFalse(isSound("DE97ZZZ09999999999"))
    assert.isFalse(isSound("DE98ZZZ"))
  })
})

type Serving = Pick<BankAccount, "closedAt" | "name" | "products" | "usage">

const account = (name: string, settings: Partial<Serving> = {}): Serving => ({
  name,
  products: "ALL",
  usage: ["COLLECT"],
  ...settings
})

describe("which account serves", () => {
  const all = account("all")
  const motor = account("motor", { products: ["motor-fr"] })
  const closed = account("closed", { closedAt: instant("2026-11-24T09:00:00Z") })

  it("is the one that names the product, else the one for all", () => {
    for (const accounts of [
      [all, motor],
      [motor, all]
    ]) {
      assert.strictEqual(accountFor(accounts, "COLLECT", "motor-fr", now), motor)
      assert.strictEqual(accountFor(accounts, "COLLECT", "home-fr", now), all)
    }
    assert.isUndefined(accountFor([motor], "COLLECT", "home-fr", now))
    assert.isUndefined(accountFor([all], "PAY_OUT", "home-fr", now))
    assert.isUndefined(accountFor([closed], "COLLECT", "home-fr", now))
  })

  it("is never more than one: a rival is found where two could serve, and only there", () => {
    const uses = [["COLLECT"], ["PAY_OUT"], ["COLLECT", "PAY_OUT"]] as const
    const choices = ["ALL", ["a"], ["b"], ["a", "b"]] as const
    const ends = [undefined, instant("2026-11-23T00:00:00Z"), instant("2027-01-01T00:00:00Z")]
    const drawn = uses.flatMap((usage) =>
      choices.flatMap((products) =>
        ends.map((closedAt) =>
          account("", { usage, products, ...(closedAt === undefined ? {} : { closedAt }) })
        )
      )
    )
    /** Those that serve a product and a use by a name, or for all. */
    const servers = (
      accounts: ReadonlyArray<Serving>,
      use: "COLLECT" | "PAY_OUT",
      product: string
    ) => {
      const open = accounts.filter(
        ({ closedAt, usage }) => (closedAt === undefined || closedAt > now) && usage.includes(use)
      )
      const named = open.filter(({ products }) => products !== "ALL" && products.includes(product))
      return named.length > 0 ? named : open.filter(({ products }) => products === "ALL")
    }
    let rivals = 0
    for (const first of drawn) {
      for (const second of drawn) {
        const pair = [
          { ...first, name: "one" },
          { ...second, name: "two" }
        ]
        const isAmbiguous = (["COLLECT", "PAY_OUT"] as const).some((use) =>
          ["a", "b", "c"].some((product) => servers(pair, use, product).length > 1)
        )
        const rival = rivalOf(pair[0]!, [pair[1]!], now)
        assert.strictEqual(rival !== undefined, isAmbiguous, JSON.stringify(pair))
        if (rival !== undefined) rivals++
      }
    }
    assert.isAbove(rivals, 100)
  })

  it("is no rival of itself", () => {
    assert.isUndefined(rivalOf(all, [all], now))
  })
})
