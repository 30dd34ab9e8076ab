/** Ceremonies: who signs, in which order, proven by what; and what is refused. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { Policies } from "../../src/policies/Policies.ts"
import { SignatureRequests } from "../../src/ceremonies/SignatureRequests.ts"
import * as Post from "../Post.ts"
import * as Sold from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Ceremony from "./CeremonyWorld.ts"
import { tagOf } from "./RequestedWorld.ts"

layer(Ceremony.layer, { excludeTestServices: true })("a ceremony", (it) => {
  it.effect("signs and merges with the code of the letter and the name of the signer", () =>
    Effect.gen(function* () {
      const { customer, get, run, sold, steps } = yield* Ceremony.make()
      const opened = yield* customer.open
      assert.deepInclude(opened.signer, { status: "OPENED", firstName: "Camille" })
      const texts = Ceremony.textsOf(opened)
      assert.isNotEmpty(texts)
      assert.strictEqual(yield* tagOf(customer.sign(texts)), "InvalidTransition")
      yield* customer.sendCode
      const code = yield* Ceremony.code
      assert.strictEqual(Post.sent.at(-1)!.to, "camille@example.test")
      const refused = yield* Effect.flip(customer.prove(Ceremony.wrong(code)))
      assert.deepInclude(refused, { _tag: "OtpInvalid", triesLeft: 4 })
      assert.strictEqual((yield* customer.prove(code)).signer.status, "PROVEN")
      assert.strictEqual(yield* tagOf(customer.sign(texts, "Camille Martins")), "NameMismatch")
      assert.strictEqual(yield* tagOf(customer.sign([])), "ComplianceGateNotMet")
      const other = texts.map((text) => ({ ...text, textHash: "0".repeat(64) }))
      assert.strictEqual(yield* tagOf(customer.sign(other)), "InvalidReference")
      const signed = yield* customer.sign(texts)
      assert.strictEqual(signed.status, "COMPLETED")
      const policy = yield* run(Policies.use((policies) => policies.get(sold)))
      assert.strictEqual(policy.status, "POLICY_SIGNED")
      const signature = yield* get
      assert.deepInclude(signature, {
        status: "COMPLETED",
        signedAt: World.at("2026-03-10T09:00:00Z"),
        consents: texts.map(({ textHash, textId }) => ({ textId, textHash }))
      })
      const evidence = yield* steps
      assert.strictEqual(evidence.status, "INTACT")
      assert.deepStrictEqual(
        evidence.steps.map(({ kind }) => kind),
        [
          "REQUESTED",
          "OPENED",
          "OTP_SENT",
          // Its letter has left with that of the code.
          "NOTIFIED",
          "OTP_FAILED",
          "OTP_PROVEN",
          ...texts.map(() => "CONSENT_GIVEN" as const),
          "SIGNED"
        ]
      )
      assert.deepInclude(evidence.steps.at(-1)!, {
        quotes: [{ quoteId: signature.quoteId, stateDigest: signature.stateDigest }]
      })
      assert.strictEqual(yield* tagOf(customer.sign(texts)), "SignatureClosed")
    }).pipe(Post.quietly)
  )

  it.effect("takes each code for 10 minutes, 5 tries and its own letter", () =>
    Effect.gen(function* () {
      const { customer, world } = yield* Ceremony.make()
      yield* customer.open
      assert.strictEqual(yield* tagOf(customer.prove("123456")), "OtpLocked")
      yield* customer.sendCode
      const first = yield* Ceremony.code
      yield* customer.sendCode
      const second = yield* Ceremony.code
      assert.notStrictEqual(first, second)
      // The code before is one of the tries.
      for (const triesLeft of [4, 3, 2, 1, 0]) {
        const refused = yield* Effect.flip(customer.prove(first))
        assert.deepInclude(refused, { _tag: "OtpInvalid", triesLeft })
      }
      assert.strictEqual(yield* tagOf(customer.prove(second)), "OtpLocked")
      yield* customer.sendCode
      const third = yield* Ceremony.code
      assert.deepInclude(yield* Effect.flip(customer.sendCode), {
        _tag: "RateLimited",
        retryAfter: 900
      })
      yield* Sold.moveTo(world, "2026-03-10T09:10:00Z")
      assert.strictEqual(yield* tagOf(customer.prove(third)), "OtpLocked")
      yield* Sold.moveTo(world, "2026-03-10T09:15:00Z")
      yield* customer.sendCode
      yield* customer.prove(yield* Ceremony.code)
    }).pipe(Post.quietly)
  )

  it.effect("sends a signer 20 codes for a signature, however long it is open", () =>
    Effect.gen(function* () {
      const { customer, get, world } = yield* Ceremony.make()
      yield* customer.open
      for (let sent = 0; sent < 20; sent++) {
        const quarter = Math.floor(sent / 3) * 15 * 60_000
        yield* Sold.moveTo(world, new Date(Date.UTC(2026, 2, 10, 9) + quarter).toISOString())
        yield* customer.sendCode
      }
      yield* Sold.moveTo(world, "2026-03-10T12:00:00Z")
      const { expiresAt } = yield* get
      const left = Date.parse(expiresAt!) - Date.UTC(2026, 2, 10, 12)
      assert.deepInclude(yield* Effect.flip(customer.sendCode), {
        _tag: "RateLimited",
        retryAfter: Math.ceil(left / 1000)
      })
    }).pipe(Post.quietly)
  )

  it.effect("lets signers sign in their order, each for themselves", () =>
    Effect.gen(function* () {
      const { as, customer, get, run, signature, sold, visitor, world } = yield* Ceremony.make({
        otp: "NONE",
        delivery: "EMBEDDED",
        countersigner: { role: "BROKER", order: 2 }
      })
      const sellerId = signature.signers[1]!.id!
      const seller = as(world.manager, sellerId)
      assert.strictEqual(yield* tagOf(seller.open), "NotYourTurn")
      // Who works on the policy is not the customer, and the customer is not who works on it.
      assert.strictEqual(yield* tagOf(as(world.manager).open), "Forbidden")
      assert.strictEqual(yield* tagOf(as(visitor, sellerId).open), "Forbidden")
      assert.strictEqual(yield* tagOf(as(yield* World.visitor(world)).open), "Forbidden")
      const texts = Ceremony.textsOf(yield* customer.open)
      assert.strictEqual((yield* customer.sign(texts)).status, "OPEN")
      assert.strictEqual(yield* tagOf(customer.sign(texts)), "InvalidTransition")
      const status = Effect.map(
        run(Policies.use((policies) => policies.get(sold))),
        (policy) => policy.status
      )
      assert.strictEqual(yield* status, "POLICY_CONFIRMED")
      assert.deepStrictEqual(
        (yield* get).signers.map((signer) => signer.status),
        ["SIGNED", "NOTIFIED"]
      )
      assert.deepStrictEqual((yield* seller.open).texts, [])
      assert.strictEqual((yield* seller.sign([], "manager Test")).status, "COMPLETED")
      assert.strictEqual(yield* status, "POLICY_SIGNED")
    })
  )

  it.effect("ends when a signer refuses, or when it is not what was asked for any more", () =>
    Effect.gen(function* () {
      const declined = yield* Ceremony.make()
      yield* declined.customer.decline
      assert.deepInclude(yield* declined.get, { status: "DECLINED", closedReason: "Too dear" })
      assert.strictEqual(yield* tagOf(declined.customer.open), "SignatureClosed")
      const late = yield* Ceremony.make({ otp: "NONE", delivery: "EMBEDDED" })
      const texts = Ceremony.textsOf(yield* late.customer.open)
      // As if a program without this had changed the branch.
      const sql = yield* SuperuserSql
      yield* sql`
        UPDATE signature_request SET branch_seq = branch_seq - 1
        WHERE signature_id = ${late.signature.id}
      `
      assert.strictEqual(yield* tagOf(late.customer.sign(texts)), "QuoteOutdated")
      const voided = yield* late.get
      assert.deepInclude(voided, { status: "VOID", closedReason: "QuoteOutdated" })
      // No one has signed.
      assert.deepStrictEqual(
        voided.signers.map((signer) => signer.status),
        ["OPENED"]
      )
      assert.strictEqual((yield* late.steps).status, "INTACT")
      const policy = yield* late.run(Policies.use((policies) => policies.get(late.sold)))
      assert.strictEqual(policy.status, "POLICY_CONFIRMED")
    })
  )

  it.effect("needs each document read to its last byte, and the product's proof", () =>
    Effect.gen(function* () {
      const { customer, signature } = yield* Ceremony.make({ otp: "NONE", delivery: "EMBEDDED" })
      const texts = Ceremony.textsOf(yield* customer.open)
      const sql = yield* SuperuserSql
      const document = { documentId: "document_unread", sha256: "0".repeat(64), size: 1, pages: 1 }
      yield* sql`
        UPDATE signature_request SET documents = ${JSON.stringify([document])}::jsonb
        WHERE signature_id = ${signature.id}
      `
      const refused = yield* Effect.flip(customer.sign(texts))
      assert.deepInclude(refused, { _tag: "DocumentNotShown", documentIds: ["document_unread"] })
      const unproven = yield* Ceremony.make({ otp: "NONE", delivery: "EMAIL" })
      assert.strictEqual(yield* tagOf(unproven.customer.open), "Forbidden")
      yield* unproven.run(
        SignatureRequests.use((requests) => requests.cancel(unproven.signature.id, { reason: "x" }))
      )
    })
  )
})
