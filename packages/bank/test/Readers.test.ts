import { assert, describe, it } from "@effect/vitest"
import type { InvalidBankFile } from "@quittance/domain/payments/BankFile"
import { Effect } from "effect"
import { XmlDocument } from "libxml2-wasm"
import { readBankFile } from "../src/BankFiles.ts"
import type { StatementMessage } from "@quittance/domain/treasury/BankStatement"
import { isBooked, signedAmount } from "../src/Entries.ts"
import { Draw } from "@quittance/testing/Draw"
import { property } from "./Property.ts"
import { entriesOf, eventsOf, sample, statusesOf } from "./Sample.ts"
import { schemaFaults } from "./Schemas.ts"
import { detail, drawEntry, entry, statementText } from "./Statement.ts"

const messages: ReadonlyArray<StatementMessage> = ["camt.052", "camt.053", "camt.054"]

/** What is left of an entry where the older version has no place for it. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

const refusal = (text: string | Uint8Array): InvalidBankFile => {
  try {
    eventsOf(text)
  } catch (error) {
    // Any other failure has no reason, and fails the test.
    return error as InvalidBankFile
  }
  return assert.fail("was read")
}

/** The entries of a statement by another library, as a tree. */
const secondReading = (text: string) => {
  const document = XmlDocument.fromString(text)
  try {
    return document.find("//*[local-name()='Ntry']").map((node) => {
      const at = (path: string) =>
        node.find(path.replaceAll(/\w+/gu, "*[local-name()='$&']")).map(({ content }) => content)
      return {
        amount: at("Amt")[0],
        isDebit: at("CdtDbtInd")[0] === "DBIT",
        isBooked: at("Sts")[0] === "BOOK",
        names: at("NtryDtls/TxDtls/RltdPties//Nm").length,
        texts: at("NtryDtls/TxDtls/RmtInf/Ustrd").map((one) => one.trim())
      }
    })
  } finally {
    document.dispose()
  }
}

const cutUp = (draw: Draw, bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length;) {
    const length = draw.pick([1, 2, 3, 17, draw.int(1, 2000)])
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

describe("statements", () => {
  property("are read as what they were written of, in each message and version", (draw) => {
    const entries = Array.from({ length: draw.int(0, 6) }, () => drawEntry(draw))
    const [message, version] = [draw.pick(messages), draw.pick(["02", "08"] as const)]
    const events = eventsOf(
      statementText(entries, { message, version, opening: draw.int(-999, 999) })
    )
    const read = entriesOf(events)
    // The older version tells the direction of an entry alone.
    const expected = entries.map(({ details, ...rest }) => ({
      ...rest,
      details: details.map(({ direction = rest.direction, texts, ...one }) => ({
        ...one,
        texts: texts.map((text) => text.trim()),
        ...(version === "08" ? { direction } : {})
      }))
    }))
    assert.deepStrictEqual(plain(read), plain(expected))
    assert.strictEqual(events.filter(({ kind }) => kind === "STATEMENT_END").length, 1)
  })

  it.effect("of the tests keep ISO's schema", () =>
    Effect.promise(async () => {
      for (let seed = 1; seed <= 40; seed++) {
        const draw = new Draw(seed)
        const entries = Array.from({ length: 4 }, () => drawEntry(draw))
        const [message, version] = [draw.pick(messages), draw.pick(["02", "08"] as const)]
        const text = statementText(entries, {
          message,
          version,
          ...(message === "camt.054" ? { balances: [] } : {})
        })
        assert.deepStrictEqual(await schemaFaults(`${message}.001.${version}`, text), [])
      }
    })
  )

  property(
    "read in pieces of any length are those read at once",
    (draw) => {
      const names = [
        "statement-1.camt.053.001.08",
        "statement-2-return.camt.053.001.02",
        "status-partial.pain.002.001.10"
      ]
      const drawn = statementText(Array.from({ length: 5 }, () => drawEntry(draw)))
      const bytes = draw.chance(0.5) ? sample(draw.pick(names)) : Buffer.from(drawn)
      assert.deepStrictEqual([...readBankFile(cutUp(draw, bytes))], eventsOf(bytes))
    },
    100
  )

  property("hold what a second parser finds in them", (draw) => {
    const entries = Array.from({ length: draw.int(1, 6) }, () => drawEntry(draw))
    const text = statementText(entries, { version: draw.pick(["02", "08"] as const) })
    const read = entriesOf(eventsOf(text))
    const found = secondReading(text)
    assert.deepStrictEqual(
      read.map((one) => ({
        amount: (Math.abs(signedAmount(one)!) / 100).toFixed(2),
        isDebit: one.direction === "DEBIT",
        isBooked: isBooked(one),
        names: one.details.flatMap(({ creditor, debtor }) =>
          [creditor.name, debtor.name].filter(Boolean)
        ).length,
        texts: one.details.flatMap((part) => part.texts)
      })),
      found
    )
  })

  it("are read whatever the prefix, the version and the envelope", () => {
    const text = sample("statement-1.camt.053.001.08").toString()
    const known = eventsOf(text)
    const prefixed = text.replaceAll(/<(\/?)(?=[A-Z])/gu, "<$1n:").replace("xmlns=", "xmlns:n=")
    assert.deepStrictEqual(eventsOf(prefixed), known)
    const later = eventsOf(text.replace("camt.053.001.08", "camt.053.001.13"))
    assert.deepStrictEqual(later.slice(1), known.slice(1))
    const bare = text.replace(/^<\?xml.*\?>\s*/u, "")
    assert.deepStrictEqual(eventsOf(`<Envelope><Header/>${bare}</Envelope>`), known)
  })

  it("are all read where an envelope holds several", () => {
    const one = sample("statement-1.camt.053.001.08")
      .toString()
      .replace(/^<\?xml.*\?>\s*/u, "")
    const other = sample("status-partial.pain.002.001.10")
      .toString()
      .replace(/^<\?xml.*\?>\s*/u, "")
    const both = eventsOf(`<E>${one}${other}${one}</E>`)
    assert.deepStrictEqual(both, [...eventsOf(one), ...eventsOf(other), ...eventsOf(one)])
  })

  it("may hold several statements", () => {
    const text = statementText([entry(100)])
    const stmt = /<Stmt>.*<\/Stmt>/su.exec(text)![0]
    const events = eventsOf(text.replace(stmt, stmt + stmt.replace("<Id>S1</Id>", "<Id>S2</Id>")))
    const ends = events.flatMap((event) =>
      event.kind === "STATEMENT_END" ? [event.statement.id] : []
    )
    assert.deepStrictEqual(ends, ["S1", "S2"])
  })

  it("are read in the encodings that banks use", () => {
    const text = statementText([entry(100, { text: "Échéance reçue" })])
    const latin = Buffer.from(text.replace("UTF-8", "ISO-8859-1"), "latin1")
    const wide = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(text.replace("UTF-8", "UTF-16"), "utf16le")
    ])
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])
    for (const bytes of [latin, wide, marked]) {
      assert.strictEqual(entriesOf(eventsOf(bytes))[0]?.text, "Échéance reçue")
    }
    assert.strictEqual(refusal(Buffer.from(text, "latin1")).reason, "ENCODING")
    assert.strictEqual(refusal(text.replace("UTF-8", "klingon")).reason, "ENCODING")
  })

  it("never guess an amount, a direction or a day", () => {
    const text = statementText([entry(1234)])
    const read = (from: string, to: string) => entriesOf(eventsOf(text.replace(from, to)))[0]!
    assert.isUndefined(
      signedAmount(read(`<Ntry><Amt Ccy="EUR">12.34<`, `<Ntry><Amt Ccy="EUR">12.345<`))
    )
    const undirected = text.replace(
      /(<Ntry><Amt[^>]*>[^<]*<\/Amt>)<CdtDbtInd>CRDT<\/CdtDbtInd>/u,
      "$1"
    )
    assert.isUndefined(signedAmount(entriesOf(eventsOf(undirected))[0]!))
    assert.isUndefined(read("<BookgDt><Dt>2026-12-01<", "<BookgDt><Dt>2026-02-30<").bookedOn)
    assert.strictEqual(
      read("<BookgDt><Dt>2026-12-01</Dt>", "<BookgDt><DtTm>2026-12-01T23:59:59+01:00</DtTm>")
        .bookedOn,
      "2026-12-01"
    )
  })
})

describe("files that can't be read", () => {
  const statement = sample("statement-1.camt.053.001.08").toString()
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["a document type", sample("bad-doctype.camt.053.001.08").toString(), "DOCTYPE"],
    ["an entity", statement.replace("assurance", "&secret;"), "NOT_XML"],
    ["an end that is missing", statement.slice(0, -20), "NOT_XML"],
    ["an ampersand alone", statement.replace("assurance", "a & b"), "NOT_XML"],
    ["elements that cross", statement.replace("</Ntry>", "</Stmt>"), "NOT_XML"],
    ["no XML", "MT940 :20:STARTUMS", "NOT_XML"],
    ["nothing", "", "NOT_XML"],
    [
      "another message",
      statement.replaceAll("BkToCstmrStmt", "FIToFIPmtCxlReq"),
      "UNKNOWN_MESSAGE"
    ],
    ["a page of HTML", "<html><body>Not found</body></html>", "UNKNOWN_MESSAGE"],
    [
      "forty-one elements in each other",
      statement.replace("assurance", `${"<a>".repeat(40)}${"</a>".repeat(40)}`),
      "TOO_DEEP"
    ]
  ]
  for (const [what, text, reason] of cases) {
    it(`are refused for ${what}`, () => {
      assert.strictEqual(refusal(text).reason, reason)
    })
  }

  it("are refused for a text without an end before it fills the memory", () => {
    const pieces = function* () {
      yield Buffer.from("<Document><BkToCstmrStmt><Stmt><Id>")
      for (;;) yield Buffer.alloc(65_536, "a")
    }
    assert.throws(() => [...readBankFile(pieces())], "TOO_LONG")
    const doctype = function* () {
      yield Buffer.from("<!DOCTYPE x [")
      for (;;) yield Buffer.alloc(65_536, "<!ENTITY a 'b'>")
    }
    assert.throws(() => [...readBankFile(doctype())], /TOO_LONG|DOCTYPE/u)
  })

  it("are refused with a line, and without a word of theirs", () => {
    const { line, message } = refusal(statement.replace("Paul Martin", "Paul & Martin"))
    assert.isAbove(line, 1)
    assert.notMatch(message, /Paul|FR76/u)
  })
})

describe("status reports", () => {
  it("tell of a file, a group or a payment", () => {
    const told = (name: string) =>
      statusesOf(eventsOf(sample(name))).map(({ id, level, outcome, reasonCode }) => [
        level,
        id,
        outcome,
        reasonCode
      ])
    assert.deepStrictEqual(told("status-accepted.pain.002.001.10"), [
      ["FILE", "QC000000000157", "ACCEPTED", undefined]
    ])
    assert.deepStrictEqual(told("status-rejected.pain.002.001.10"), [
      ["FILE", "QC000000000157", "REJECTED", undefined]
    ])
    assert.deepStrictEqual(told("status-partial.pain.002.001.10"), [
      ["FILE", "QC000000000157", "WAITING", undefined],
      ["GROUP", "QC000000000157-1", "WAITING", undefined],
      ["PAYMENT", "DD000000000117", "REJECTED", "AC01"]
    ])
  })

  const partial = sample("status-partial.pain.002.001.10").toString()
  const payment = (from: string, to: string) =>
    statusesOf(eventsOf(partial.replace(from, to))).at(-1)!

  it("undo nothing by a reason that says success (success-code-519)", () => {
    const status = payment("<Cd>AC01</Cd>", "<Prtry>0000</Prtry>")
    assert.strictEqual(status.outcome, "ACCEPTED")
    assert.isUndefined(status.reasonCode)
    const returned = statementText([entry(-100, { details: [detail({ returnReason: "0000" })] })])
    assert.isUndefined(entriesOf(eventsOf(returned))[0]!.details[0]!.returnReason)
  })

  it("tell what a payee's bank says of a name", () => {
    const status = payment("<TxSts>RJCT</TxSts>", "<TxSts>RVMC</TxSts>")
    assert.strictEqual(status.payeeCheck, "CLOSE_MATCH")
    assert.strictEqual(status.outcome, "WAITING")
  })

  it("wait for what is not decided yet", () => {
    for (const code of ["PDNG", "RCVD", "PART", "XXXX"]) {
      assert.strictEqual(
        payment("<TxSts>RJCT</TxSts>", `<TxSts>${code}</TxSts>`).outcome,
        "WAITING"
      )
    }
    for (const code of ["ACCP", "ACTC", "ACSP", "ACSC", "ACCC"]) {
      assert.strictEqual(
        payment("<TxSts>RJCT</TxSts>", `<TxSts>${code}</TxSts>`).outcome,
        "ACCEPTED"
      )
    }
  })
})
