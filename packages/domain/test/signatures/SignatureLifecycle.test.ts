/** Each status with each command: what is possible leads where the page says, and the rest is refused. */
import { assert, describe, it } from "@effect/vitest"
import {
  isSigned,
  nextInTurn,
  signatureAfter,
  type SignatureCommand,
  SignatureStatus,
  signerAfter,
  type SignerCommand,
  SignerStatus
} from "@quittance/domain/signatures/SignatureLifecycle"
import { Result } from "effect"

/** What a command answers: the next status, or the refusal. */
const outcome = <E extends { readonly _tag: string }>(result: Result.Result<string, E>) =>
  Result.match(result, { onSuccess: (status) => status, onFailure: ({ _tag }) => _tag })

const closed = (command: SignatureCommand) => [command, "SignatureClosed"] as const
const commands = ["sign", "decline", "expire", "cancel", "void", "seal"] as const

describe("a signature", () => {
  it("has one outcome for each status and each command", () => {
    const table = Object.fromEntries(
      SignatureStatus.literals.map((status) => [
        status,
        commands.map((command) => [command, outcome(signatureAfter(status, command))])
      ])
    )
    const ended = commands.map(closed)
    assert.deepStrictEqual(table as unknown, {
      OPEN: [
        ["sign", "SEALING"],
        ["decline", "DECLINED"],
        ["expire", "EXPIRED"],
        ["cancel", "CANCELLED"],
        ["void", "VOID"],
        ["seal", "InvalidTransition"]
      ],
      SEALING: [...ended.slice(0, -1), ["seal", "COMPLETED"]],
      COMPLETED: ended,
      DECLINED: ended,
      EXPIRED: ended,
      CANCELLED: ended,
      VOID: ended
    })
  })

  it("says what is possible where a command is not", () => {
    const refused = signatureAfter("OPEN", "seal")
    assert.isTrue(Result.isFailure(refused))
    assert.deepInclude(Result.isFailure(refused) ? refused.failure : {}, {
      allowed: ["sign", "decline", "expire", "cancel", "void"]
    })
  })
})

describe("a signer", () => {
  const steps = [
    "notify",
    "open",
    "send-code",
    "prove",
    "sign",
    "decline",
    "correct",
    "remind",
    "link"
  ] as const
  const tableOf = (needsCode: boolean) =>
    Object.fromEntries(
      SignerStatus.literals.map((status) => [
        status,
        steps.map((command: SignerCommand) => outcome(signerAfter({ status, needsCode }, command)))
      ])
    )
  const no = "InvalidTransition"
  const wait = "NotYourTurn"

  it("with a code has one outcome for each status and each command", () => {
    assert.deepStrictEqual(tableOf(true), {
      WAITING: ["NOTIFIED", wait, wait, wait, wait, wait, "WAITING", wait, wait],
      NOTIFIED: [no, "OPENED", no, no, no, "DECLINED", "NOTIFIED", "NOTIFIED", "NOTIFIED"],
      OPENED: [no, "OPENED", "OPENED", "PROVEN", no, "DECLINED", no, "OPENED", "OPENED"],
      PROVEN: [no, "PROVEN", no, no, "SIGNED", "DECLINED", no, "PROVEN", "PROVEN"],
      SIGNED: [no, no, no, no, no, no, no, no, no],
      DECLINED: [no, no, no, no, no, no, no, no, no]
    })
  })

  it("without a code is never asked for one", () => {
    assert.deepStrictEqual(tableOf(false), {
      WAITING: ["NOTIFIED", wait, wait, wait, wait, wait, "WAITING", wait, wait],
      NOTIFIED: [no, "OPENED", no, no, no, "DECLINED", "NOTIFIED", "NOTIFIED", "NOTIFIED"],
      OPENED: [no, "OPENED", no, no, "SIGNED", "DECLINED", no, "OPENED", "OPENED"],
      PROVEN: [no, "PROVEN", no, no, no, "DECLINED", no, "PROVEN", "PROVEN"],
      SIGNED: [no, no, no, no, no, no, no, no, no],
      DECLINED: [no, no, no, no, no, no, no, no, no]
    })
  })
})

describe("the turn of signers", () => {
  const signer = (order: number, status: SignerStatus) => ({ order, status })
  it("is that of all with the same order, side by side", () => {
    const [first, second, third] = [
      signer(1, "WAITING"),
      signer(1, "WAITING"),
      signer(2, "WAITING")
    ]
    assert.deepStrictEqual(nextInTurn([third!, first!, second!]), [first, second])
  })

  it("passes on only once all before have signed", () => {
    const last = signer(2, "WAITING")
    assert.deepStrictEqual(nextInTurn([signer(1, "SIGNED"), signer(1, "OPENED"), last]), [])
    assert.deepStrictEqual(nextInTurn([signer(1, "SIGNED"), signer(1, "SIGNED"), last]), [last])
  })

  it("ends with the last one", () => {
    assert.deepStrictEqual(nextInTurn([signer(1, "SIGNED"), signer(2, "SIGNED")]), [])
    assert.isTrue(isSigned([signer(1, "SIGNED"), signer(2, "SIGNED")]))
    assert.isFalse(isSigned([signer(1, "SIGNED"), signer(2, "DECLINED")]))
    assert.isFalse(isSigned([]))
  })
})
