import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import {
  isDispute,
  isSuccess,
  type ReasonClass,
  reasonClassOf
} from "../../src/payments/ReturnReason.ts"

/** What pages of banks say of each code; they stand beside the repository where it is developed. */
interface DescribedCode {
  readonly code: string
  readonly retry: boolean
  readonly mandate: string
}

const described = ["../../../../../", "../../../../../../"]
  .map((root) => new URL(`${root}shared/vectors/sepa-r-transactions.json`, import.meta.url))
  .find((file) => existsSync(file))

const classOf = ({ mandate, retry }: DescribedCode): ReasonClass => {
  if (mandate.startsWith("block")) return "BLOCK"
  if (mandate === "fix the file" || mandate.endsWith("check the batch")) return "FILE"
  return retry ? "RETRY" : "CUSTOMER"
}

describe("the reason of a debit that failed", () => {
  it("leaves a code that is not known to the payer, and never tries it again", () => {
    assert.strictEqual(reasonClassOf("ZZ99"), "CUSTOMER")
    assert.strictEqual(reasonClassOf(""), "CUSTOMER")
  })

  it("is read whatever its case and the blanks around it", () => {
    assert.strictEqual(reasonClassOf(" am04\n"), "RETRY")
    assert.isTrue(isDispute("md01"))
    assert.isTrue(isSuccess(" 0000 "))
  })

  it("says that nothing failed with 0000 alone (success-code-519)", () => {
    assert.isFalse(isSuccess("000"))
    assert.isFalse(isSuccess("AM04"))
  })

  it.runIf(described !== undefined)("has the class that banks describe for each code", () => {
    const { codes }: { readonly codes: ReadonlyArray<DescribedCode> } = JSON.parse(
      readFileSync(described!, "utf8")
    )
    assert.isAbove(codes.length, 20)
    assert.deepStrictEqual(
      codes.map(({ code }) => [code, reasonClassOf(code)]),
      codes.map((one) => [one.code, classOf(one)])
    )
  })
})
