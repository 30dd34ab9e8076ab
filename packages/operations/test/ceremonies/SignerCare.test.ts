/** What people do for signers: a wrong address is corrected, they are reminded, and a program hands out links. */
import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import { signerTokenParts } from "@quittance/domain/signatures/SignerLink"
import type { CorrectSigner } from "@quittance/domain/signatures/SignatureRequests"
import { Effect, Layer, Redacted } from "effect"
import { SignatureRequests } from "../../src/ceremonies/SignatureRequests.ts"
import { SignerCare } from "../../src/ceremonies/SignerCare.ts"
import { SignerLetters } from "../../src/ceremonies/SignerLetters.ts"
import { SignerLinks } from "../../src/ceremonies/SignerLinks.ts"
import * as Post from "../Post.ts"
import * as Sold from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Ceremony from "./CeremonyWorld.ts"
import { tagOf } from "./RequestedWorld.ts"

const TestLayer = Layer.mergeAll(SignerCare.layer, SignerLinks.layer).pipe(
  Layer.provide(Post.issuers),
  Layer.provideMerge(Ceremony.layer)
)

const letters = Effect.gen(function* () {
  const before = Post.sent.length
  while (yield* SignerLetters.use(({ round }) => round));
  return Post.sent.slice(before)
})
const tokenIn = (text: string) => /https:\/\/api\.test\/sign\/(\S+)/u.exec(text)![1]!
const follow = (world: World.World, token: string) => {
  const { secret, signerId } = signerTokenParts(token)!
  return SignerLinks.use((links) => links.follow(signerId, secret)).pipe(Post.inTenant(world))
}

/** An open signature, and what people do for its signers; the first, unless it is said. */
const make = Effect.fnUntraced(function* (...more: Parameters<typeof Ceremony.make>) {
  const made = yield* Ceremony.make(...more)
  const { run, signature } = made
  const signatureId = signature.id
  const pathOf = (place: number) => ({ signatureId, signerId: signature.signers[place]!.id! })
  return {
    ...made,
    correct: (input: CorrectSigner, place = 0) =>
      run(SignerCare.use((care) => care.correct(pathOf(place), input))),
    remind: run(SignerCare.use((care) => care.remind(signatureId, {}))),
    remindOne: (place: number) =>
      run(SignerCare.use((care) => care.remind(signatureId, { signerId: pathOf(place).signerId }))),
    link: (place = 0) => run(SignerCare.use((care) => care.link(pathOf(place)))),
    tryLink: World.as(made.world, made.world.manager, { dryRun: true })(
      SignerCare.use((care) => care.link(pathOf(0)))
    ),
    cancel: run(SignatureRequests.use((all) => all.cancel(signatureId, { reason: "x" })))
  }
})

layer(TestLayer, { excludeTestServices: true })("for a signer", (it) => {
  it.effect("a wrong address is corrected until they begin: the link before ends", () =>
    Effect.gen(function* () {
      const { cancel, correct, customer, steps, world } = yield* make({
        countersigner: { role: "BROKER", order: 2 }
      })
      const [first] = yield* letters
      const after = yield* correct({ email: "camille@example.org", phone: "+33612345678" })
      assert.deepInclude(after.signers[0], {
        firstName: "Camille",
        lastName: "Martin",
        email: "camille@example.org",
        phone: "+33612345678",
        status: "NOTIFIED"
      })
      assert.isUndefined(yield* follow(world, tokenIn(first!.text)))
      const [second, ...others] = yield* letters
      assert.deepStrictEqual(others, [])
      assert.strictEqual(second!.to, "camille@example.org")
      assert.notStrictEqual(second!.id, first!.id)
      assert.isDefined(yield* follow(world, tokenIn(second!.text)))
      const { status, steps: recorded } = yield* steps
      assert.strictEqual(status, "INTACT")
      assert.deepStrictEqual(
        recorded.map(({ kind }) => kind),
        ["REQUESTED", "NOTIFIED", "CORRECTED", "NOTIFIED"]
      )
      assert.deepInclude(recorded[2]!.signer, { email: "camille@example.org" })
      assert.strictEqual(recorded[2]!.phone, "+336••••••78")
      // Who signs for those who sell is a user.
      assert.strictEqual(yield* tagOf(correct({ phone: "1" }, 1)), "InvalidReference")
      yield* customer.open
      assert.strictEqual(yield* tagOf(correct({ phone: "1" })), "InvalidTransition")
      yield* cancel
      assert.strictEqual(yield* tagOf(correct({ phone: "1" })), "SignatureClosed")
      assert.deepStrictEqual(yield* letters, [])
    }).pipe(Post.quietly)
  )

  it.effect(
    "their link stays unless their address is another, and five corrections are enough",
    () =>
      Effect.gen(function* () {
        const { correct, get, remind, world } = yield* make()
        const [first] = yield* letters
        const refusalOf = (input: CorrectSigner) =>
          Effect.map(Effect.flip(correct(input)), (error) =>
            error._tag === "CorrectionRefused" ? error.reason : error._tag
          )
        assert.strictEqual(yield* refusalOf({ email: "camille@example.test" }), "UNCHANGED")
        yield* correct({ email: "camille@example.test", phone: "1" })
        assert.strictEqual(yield* refusalOf({ phone: "1" }), "UNCHANGED")
        assert.deepStrictEqual(yield* letters, [])
        assert.isDefined(yield* follow(world, tokenIn(first!.text)))
        yield* Sold.moveTo(world, "2026-03-10T11:00:00Z")
        yield* correct({ email: "camille@example.org" })
        assert.strictEqual((yield* letters)[0]!.to, "camille@example.org")
        assert.strictEqual((yield* get).signers[0]!.notifiedAt, World.at("2026-03-10T11:00:00Z"))
        // That letter was one of the hour.
        assert.strictEqual(yield* tagOf(remind), "RemindedLately")
        for (const phone of ["2", "3", "4"]) yield* correct({ phone })
        assert.strictEqual(yield* refusalOf({ email: "other@example.org" }), "TOO_OFTEN")
        assert.strictEqual((yield* get).signers[0]!.email, "camille@example.org")
        assert.deepStrictEqual(yield* letters, [])
      }).pipe(Post.quietly)
  )

  it.effect("another letter leaves once an hour at most, with the same link", () =>
    Effect.gen(function* () {
      const { get, link, remind, remindOne, world } = yield* make({
        countersigner: { role: "BROKER", order: 2 }
      })
      const [first] = yield* letters
      assert.strictEqual(yield* tagOf(remind), "RemindedLately")
      yield* Sold.moveTo(world, "2026-03-10T10:00:00Z")
      yield* remind
      const [reminder, ...others] = yield* letters
      assert.deepStrictEqual(others, [])
      assert.strictEqual(tokenIn(reminder!.text), tokenIn(first!.text))
      assert.deepStrictEqual((yield* get).signers[0]!.remindedAt, [
        World.at("2026-03-10T10:00:00Z")
      ])
      assert.strictEqual(yield* tagOf(remindOne(0)), "RemindedLately")
      assert.strictEqual(yield* tagOf(remindOne(1)), "InvalidReference")
      // Letters bring this signer their link.
      assert.strictEqual(yield* tagOf(link()), "InvalidReference")
      assert.deepStrictEqual(yield* letters, [])
    }).pipe(Post.quietly)
  )

  it.effect("a program hands out a link, which another one ends, and by which they sign", () =>
    Effect.gen(function* () {
      const { as, get, link, remind, steps, world } = yield* make({
        delivery: "LINK",
        remindAfterDays: [],
        countersigner: { role: "BROKER", order: 2 }
      })
      assert.deepStrictEqual(yield* letters, [])
      assert.strictEqual(yield* tagOf(remind), "InvalidReference")
      const before = tokenIn((yield* link()).url)
      const { expiresAt, url } = yield* link()
      assert.strictEqual(expiresAt, (yield* get).expiresAt)
      assert.isUndefined(yield* follow(world, before))
      assert.isDefined(yield* follow(world, tokenIn(url)))
      // A link of who signs for those who sell would sign in their name.
      assert.strictEqual(yield* tagOf(link(1)), "InvalidReference")
      const { signerId } = signerTokenParts(tokenIn(url))!
      const holder: Caller = { _tag: "Signer", signerId, linkNumber: 2 }
      const shown = yield* as(holder).open
      yield* as(holder).sendCode
      yield* as(holder).prove(yield* Ceremony.code)
      yield* as(holder).sign(Ceremony.textsOf(shown))
      assert.strictEqual((yield* get).signers[0]!.status, "SIGNED")
      assert.strictEqual(yield* tagOf(link()), "InvalidTransition")
      const { status, steps: recorded } = yield* steps
      assert.strictEqual(status, "INTACT")
      // Who takes a link could use it, so each is a step.
      assert.deepStrictEqual(
        recorded.slice(0, 4).map(({ actor, kind }) => [kind, actor.kind]),
        [
          ["REQUESTED", "USER"],
          ["LINKED", "USER"],
          ["LINKED", "USER"],
          ["OPENED", "ANONYMOUS"]
        ]
      )
    }).pipe(Post.quietly)
  )

  it.effect("without a code no link is handed out: who hands it out could sign by it", () =>
    Effect.gen(function* () {
      const { link, steps } = yield* make({
        otp: "NONE",
        delivery: "EMBEDDED",
        remindAfterDays: []
      })
      assert.strictEqual(yield* tagOf(link()), "InvalidReference")
      assert.deepStrictEqual(
        (yield* steps).steps.map(({ kind }) => kind),
        ["REQUESTED"]
      )
    }).pipe(Post.quietly)
  )

  it.effect("a dry run does not tell the link that the next call hands out", () =>
    Effect.gen(function* () {
      const { link, tryLink, world } = yield* make({ delivery: "LINK", remindAfterDays: [] })
      const { url: tried } = yield* tryLink
      const { url } = yield* link()
      assert.isDefined(yield* follow(world, tokenIn(url)))
      const secret = tokenIn(url).split(".").at(-1)!
      assert.notInclude(tried, secret)
      assert.strictEqual(tried, "https://api.test/sign/")
    }).pipe(Post.quietly)
  )

  it.effect("who has followed the link before does nothing once another one is theirs", () =>
    Effect.gen(function* () {
      const { as, correct, get, signature } = yield* make()
      const signerId = signature.signers[0]!.id!
      // As two requests that were let in before the correction and wait for its lock.
      const before: Caller = { _tag: "Signer", signerId, linkNumber: 1 }
      yield* correct({ email: "camille@example.org" })
      assert.strictEqual(yield* tagOf(as(before).open), "Forbidden")
      assert.strictEqual(yield* tagOf(as(before).decline), "Forbidden")
      assert.strictEqual((yield* get).signers[0]!.status, "NOTIFIED")
      yield* as({ _tag: "Signer", signerId, linkNumber: 2 }).open
      assert.strictEqual((yield* get).signers[0]!.status, "OPENED")
      yield* letters
    }).pipe(Post.quietly)
  )

  it.effect("a letter that is on its way as its link ends brings the old one, and is no step", () =>
    Effect.gen(function* () {
      const { correct, signature, steps, world } = yield* make()
      const context = yield* Effect.context<SignerCare>()
      Post.steps.before = () => {
        Post.steps.before = () => Effect.void
        return correct({ email: "camille@example.org" }).pipe(
          Effect.orDie,
          Effect.asVoid,
          Effect.provideContext(context)
        )
      }
      const [late] = yield* letters
      const [second] = yield* letters
      assert.strictEqual(late!.to, "camille@example.test")
      assert.strictEqual(second!.to, "camille@example.org")
      assert.isUndefined(yield* follow(world, tokenIn(late!.text)))
      assert.isDefined(yield* follow(world, tokenIn(second!.text)))
      assert.deepStrictEqual(
        (yield* steps).steps.map(({ kind }) => kind),
        ["REQUESTED", "CORRECTED", "NOTIFIED"]
      )
      // What a letter of the link before would say, had it been written after the correction.
      const tokenOf = (number: number) =>
        SignerLinks.use((links) => links.tokenOf(signature.signers[0]!.id!, number))
      assert.isUndefined(yield* tokenOf(1).pipe(Post.inTenant(world)))
      const token = yield* tokenOf(2).pipe(Post.inTenant(world))
      assert.strictEqual(Redacted.value(token!), tokenIn(second!.text))
    }).pipe(Post.quietly)
  )
})
