import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { FileSlice } from "../src/PaymentWriter.ts"
import { writeTransfers } from "../src/Pain001.ts"
import { writeCollection } from "../src/Pain008.ts"
import { readPaymentOrders } from "../src/PaymentOrderReader.ts"
import {
  collectionMessages,
  type DebitGroup,
  type TransferGroup,
  transferMessages
} from "../src/PaymentOrders.ts"
import { Draw } from "@quittance/testing/Draw"
import { drawCollection, drawTransfers, limits } from "./Orders.ts"
import { property } from "./Property.ts"
import { sample } from "./Sample.ts"
import { haveSchemas, schemaFaults } from "./Schemas.ts"

const textOf = (slices: Iterable<FileSlice>) => [...slices].map(({ text }) => text).join("")
const faultsOf = (slices: Iterable<FileSlice>) => [...slices].flatMap(({ faults }) => faults)
const bytes = (text: string) => [Buffer.from(text)]
const compact = (text: string) => text.replaceAll(/>\s+</gu, "><").trim()

/** A file with its groups and orders as lists, to compare. */
const listed = <G extends DebitGroup | TransferGroup>(file: { readonly groups: Iterable<G> }) => ({
  ...file,
  groups: [...file.groups].map((group) => ({ ...group, orders: [...group.orders] }))
})

describe("files of payments", () => {
  for (const name of ["collection.pain.008.001.08", "collection.pain.008.001.02"] as const) {
    it(`are written as the sample ${name} is`, () => {
      const read = readPaymentOrders([sample(name)])
      assert(read.kind === "COLLECTION")
      const message = collectionMessages.find((one) => name.endsWith(one))!
      const written = writeCollection(read.file, message, limits)
      assert.strictEqual(compact(textOf(written)), compact(sample(name).toString()))
      assert.deepStrictEqual(faultsOf(writeCollection(read.file, message, limits)), [])
    })
  }

  for (const name of ["refund.pain.001.001.09", "payout-instant.pain.001.001.09"]) {
    it(`are written as the sample ${name} is`, () => {
      const read = readPaymentOrders([sample(name)])
      assert(read.kind === "TRANSFERS")
      const written = [...writeTransfers(read.file, "pain.001.001.09", limits)]
      assert.strictEqual(compact(textOf(written)), compact(sample(name).toString()))
      assert.deepStrictEqual(faultsOf(written), [])
    })
  }

  property(
    "are read as what they were written of, in either version",
    (draw) => {
      const collection = drawCollection(draw)
      for (const message of collectionMessages) {
        const slices = [...writeCollection(collection, message, { ...limits, sliceSize: 3 })]
        assert.deepStrictEqual(faultsOf(slices), [])
        const read = readPaymentOrders(bytes(textOf(slices)))
        assert(read.kind === "COLLECTION")
        assert.deepStrictEqual(listed(read.file), listed(collection))
      }
      const transfers = drawTransfers(draw)
      for (const message of transferMessages) {
        const slices = [...writeTransfers(transfers, message, limits)]
        assert.deepStrictEqual(faultsOf(slices), [])
        const read = readPaymentOrders(bytes(textOf(slices)))
        assert(read.kind === "TRANSFERS")
        assert.deepStrictEqual(listed(read.file), listed(transfers))
      }
    },
    100
  )

  property(
    "are the same text in slices of any size",
    (draw) => {
      const file = drawCollection(draw)
      const whole = textOf(writeCollection(file, "pain.008.001.08", limits))
      const sliced = writeCollection(file, "pain.008.001.08", {
        ...limits,
        sliceSize: draw.int(1, 5)
      })
      assert.strictEqual(textOf(sliced), whole)
    },
    50
  )

  it.effect("pass the schema, whole and slice by slice, whatever they hold", () =>
    Effect.promise(async () => {
      for (let seed = 1; seed <= 60; seed++) {
        const draw = new Draw(seed)
        const files = [
          ...collectionMessages.map((message) => ({
            message,
            slices: [...writeCollection(drawCollection(draw), message, { ...limits, sliceSize: 4 })]
          })),
          ...transferMessages.map((message) => ({
            message,
            slices: [...writeTransfers(drawTransfers(draw), message, { ...limits, sliceSize: 4 })]
          }))
        ]
        for (const { message, slices } of files) {
          assert.deepStrictEqual(await schemaFaults(message, textOf(slices)), [], message)
          for (const { document } of slices) {
            if (document !== undefined) {
              assert.deepStrictEqual(await schemaFaults(message, document()), [], message)
            }
          }
        }
      }
    })
  )

  it.effect("never pass the schema once they are damaged, and faults repeat no account", () =>
    Effect.promise(async () => {
      if (!haveSchemas) return
      const damages: ReadonlyArray<(text: string) => string> = [
        (text) => text.replace(/<MsgId>[^<]*<\/MsgId>/u, ""),
        (text) => text.replace("</PmtInf>", ""),
        (text) => text.replace(/<IBAN>(\w+)<\/IBAN>/u, "<IBAN>$1 oops</IBAN>"),
        (text) => text.replace(/<ReqdColltnDt>[^<]*</u, "<ReqdColltnDt>2026-02-31<"),
        (text) => text.replace(/(<InstdAmt Ccy="EUR">)[^<]*</u, "$112,50<"),
        (text) => text.replace("<SeqTp>", "<SeqTp>X"),
        (text) => text.replace(/<DtOfSgntr>[^<]*<\/DtOfSgntr>/u, "<DtOfSgntr/>"),
        (text) => text.replace("<DrctDbtTxInf>", "<DrctDbtTxInf><Nope/>"),
        (text) => text.replace("pain.008.001.08", "pain.008.001.09"),
        (text) => `${text}<x/>`
      ]
      for (let seed = 1; seed <= 20; seed++) {
        const text = textOf(
          writeCollection(drawCollection(new Draw(seed)), "pain.008.001.08", limits)
        )
        for (const damage of damages) {
          const damaged = damage(text)
          assert.notStrictEqual(damaged, text)
          const faults = await schemaFaults("pain.008.001.08", damaged)
          assert.isNotEmpty(faults, String(damage))
          assert.notMatch(faults.map(({ message }) => message).join(), /FR\d{2}|QTTS/u)
        }
      }
    })
  )
})
