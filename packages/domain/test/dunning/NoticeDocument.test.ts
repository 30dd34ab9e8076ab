/** Which document the evidence of a notice may name. */
import { withDocument } from "@quittance/domain/dunning/NoticeDocument"
import { Result } from "effect"
import { describe, expect, it } from "vitest"

const evidence = { carrier: "La Poste", reference: "1A 234" }
const [latest, earlier, other] = ["a", "b", "c"].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string
]

describe("the document of a notice", () => {
  it("is refused where it is another one", () => {
    const given = withDocument({ ...evidence, documentHash: other }, [latest, earlier])
    expect(Result.isFailure(given) && given.failure).toMatchObject({
      field: "evidence.documentHash",
      value: other
    })
  })

  it("is the latest where none is named, and the one that is named where it is one of the notice", () => {
    const named = (documentHash: string) =>
      Result.getOrThrow(withDocument({ ...evidence, documentHash }, [latest, earlier]))
    const filled = Result.getOrThrow(withDocument(evidence, [latest, earlier]))
    expect(filled).toStrictEqual({ ...evidence, documentHash: latest })
    expect(named(earlier).documentHash).toBe(earlier)
    expect(named(latest).documentHash).toBe(latest)
  })

  it("is as people say where the notice has none", () => {
    const given = { ...evidence, documentHash: other }
    expect(Result.getOrThrow(withDocument(given, []))).toBe(given)
    expect(Result.getOrThrow(withDocument(evidence, []))).toBe(evidence)
  })
})
