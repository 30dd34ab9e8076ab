/**
 * Statements and notifications, camt.052, .053 and .054 of any version. They are read leniently: what is not
 * there is absent, and whether a statement adds up is judged apart (`Statements.ts`).
 */
import type { StatementMessage } from "@quittance/domain/treasury/BankStatement"
import { isSuccess } from "@quittance/domain/payments/ReturnReason"
import { type LocalDate, parse as parseDay } from "@quittance/domain/values/LocalDate"
import type {
  Balance,
  BankAmount,
  BankEntry,
  BankFileEvent,
  BankParty,
  EntryDetail,
  StatementHead
} from "./BankEntry.ts"
import { minorUnits } from "./Decimal.ts"
import { child, childrenOf, type MessageReader, textAt, type XmlNode } from "./XmlReader.ts"

/** Messages by their root element; those of the first versions end with a version, such as `V01`. */
const roots: Readonly<Record<string, StatementMessage>> = {
  BkToCstmrAcctRpt: "camt.052",
  BkToCstmrStmt: "camt.053",
  BkToCstmrDbtCdtNtfctn: "camt.054"
}

/** The statement message of a root element; `undefined` where it is none. */
export const statementMessage = (root: string): StatementMessage | undefined =>
  roots[root.replace(/V\d+$/u, "")]

/** The statements of a message. */
const statements = new Set(["Stmt", "Rpt", "Ntfctn"])

/** The message's version, from its namespace. */
export const versionOf = (namespace: string): string | undefined =>
  /(?:camt|pain)\.\d{3}\.\d{3}\.\d{2}/u.exec(namespace)?.[0]

export const readStatements = (
  message: StatementMessage,
  namespace: string
): MessageReader<BankFileEvent> => {
  let events: Array<BankFileEvent> = []
  let id: string | undefined
  let isTold = false
  let head: StatementHead = { id: "" }
  let balances: Array<Balance> = []
  let isOpened = false

  const tell = () => {
    if (!isTold) events.push({ kind: "MESSAGE", message, version: versionOf(namespace), id })
    isTold = true
  }
  const openStatement = () => {
    if (!isOpened) events.push({ kind: "STATEMENT", statement: head })
    isOpened = true
  }
  return {
    containers: statements,
    open: (container) => {
      if (!statements.has(container)) return
      tell()
      head = { id: "" }
      balances = []
      isOpened = false
    },
    record: (node, container) => {
      if (!statements.has(container)) {
        if (node.name === "GrpHdr") id = textAt(node, "MsgId")
        return
      }
      if (node.name === "Ntry") {
        openStatement()
        events.push({ kind: "ENTRY", entry: entryOf(node) })
      } else if (node.name === "Bal") balances.push(balanceOf(node))
      else head = { ...head, ...headPart(node) }
    },
    close: (container) => {
      if (!statements.has(container)) return tell()
      openStatement()
      events.push({ kind: "STATEMENT_END", statement: head, balances })
    },
    take: () => {
      const taken = events
      events = []
      return taken
    }
  }
}

const headPart = (node: XmlNode): Partial<StatementHead> => {
  if (node.name === "Id") return { id: node.text.trim() }
  if (node.name === "ElctrncSeqNb") return { sequence: wholeNumber(node.text) }
  if (node.name !== "Acct") return {}
  return {
    iban: compactIban(textAt(node, "Id", "IBAN")),
    otherAccount: textAt(node, "Id", "Othr", "Id"),
    currency: textAt(node, "Ccy")
  }
}

const balanceOf = (node: XmlNode): Balance => ({
  type: textAt(node, "Tp", "CdOrPrtry", "Cd") ?? textAt(node, "Tp", "CdOrPrtry", "Prtry") ?? "",
  direction: directionOf(node) ?? "CREDIT",
  on: dayAt(child(node, "Dt")),
  ...amountOf(child(node, "Amt"))
})

const entryOf = (node: XmlNode): BankEntry => {
  const code = child(node, "BkTxCd")
  const family = child(child(code, "Domn"), "Fmly")
  const groups = childrenOf(node, "NtryDtls")
  return {
    status: textAt(node, "Sts", "Cd") ?? textAt(node, "Sts") ?? textAt(node, "Sts", "Prtry") ?? "",
    direction: directionOf(node) ?? "CREDIT",
    isReversal: textAt(node, "RvslInd") === "true" || textAt(node, "RvslInd") === "1",
    // Which way money went is never guessed: without it there is no amount.
    moved:
      directionOf(node) === undefined
        ? { amount: undefined, currency: undefined }
        : amountOf(child(node, "Amt")),
    bookedOn: dayAt(child(node, "BookgDt")),
    valueOn: dayAt(child(node, "ValDt")),
    bankReference: textAt(node, "AcctSvcrRef"),
    domain: textAt(code, "Domn", "Cd"),
    family: textAt(family, "Cd"),
    subFamily: textAt(family, "SubFmlyCd") ?? textAt(code, "Prtry", "Cd"),
    charges: chargesOf(child(node, "Chrgs")),
    batches: groups.flatMap((group) => childrenOf(group, "Btch")).map(batchOf),
    details: groups.flatMap((group) => childrenOf(group, "TxDtls")).map(detailOf),
    text: textAt(node, "AddtlNtryInf")
  }
}

const batchOf = (node: XmlNode) => ({
  messageId: textAt(node, "MsgId"),
  paymentInformationId: textAt(node, "PmtInfId"),
  count: wholeNumber(textAt(node, "NbOfTxs"))
})

const detailOf = (node: XmlNode): EntryDetail => {
  const refs = child(node, "Refs")
  const amounts = child(node, "AmtDtls")
  const parties = child(node, "RltdPties")
  const remittance = child(node, "RmtInf")
  const structured = childrenOf(remittance, "Strd")
  const instructed = child(child(amounts, "InstdAmt"), "Amt")
  const moved = child(node, "Amt") ?? child(child(amounts, "TxAmt"), "Amt")
  const reason =
    textAt(node, "RtrInf", "Rsn", "Cd") ?? textAt(node, "RtrInf", "Rsn", "Prtry") ?? undefined
  return {
    direction: directionOf(node),
    moved: moved === undefined ? undefined : amountOf(moved),
    instructed: instructed === undefined ? undefined : amountOf(instructed),
    charges: chargesOf(child(node, "Chrgs")),
    endToEndId: provided(textAt(refs, "EndToEndId")),
    messageId: provided(textAt(refs, "MsgId")),
    paymentInformationId: provided(textAt(refs, "PmtInfId")),
    mandateId: provided(textAt(refs, "MndtId")),
    debtor: partyOf(parties, "Dbtr"),
    creditor: partyOf(parties, "Cdtr"),
    references: structured.flatMap(
      (one) => textAt(one, "CdtrRefInf", "Ref") ?? textAt(one, "CdtrRefInf", "CdtrRef") ?? []
    ),
    texts: [
      ...textsOf(remittance, "Ustrd"),
      ...structured.flatMap((one) => textsOf(one, "AddtlRmtInf")),
      ...textsOf(node, "AddtlTxInf")
    ],
    ...(reason !== undefined && isSuccess(reason) ? { isSuccess: true } : { returnReason: reason })
  }
}

const textsOf = (node: XmlNode | undefined, name: string): ReadonlyArray<string> =>
  childrenOf(node, name).flatMap(({ text }) => (text.trim() === "" ? [] : [text.trim()]))

/** A party stands in `Pty` since the versions of 2019, and its name beside it before. */
const partyOf = (parties: XmlNode | undefined, role: "Dbtr" | "Cdtr"): BankParty => {
  const party = child(parties, role)
  const account = child(parties, `${role}Acct`)
  return {
    name: textAt(party, "Pty", "Nm") ?? textAt(party, "Nm"),
    iban: compactIban(textAt(account, "Id", "IBAN"))
  }
}

const directionOf = (node: XmlNode): "CREDIT" | "DEBIT" | undefined => {
  const text = textAt(node, "CdtDbtInd")
  return text === undefined ? undefined : text === "DBIT" ? "DEBIT" : "CREDIT"
}

const amountOf = (node: XmlNode | undefined): BankAmount => ({
  amount: node === undefined ? undefined : minorUnits(node.text),
  currency: node?.attributes["Ccy"]
})

/** What a bank took: `Chrgs/Amt` before the versions of 2013, `Chrgs/Rcrd/Amt` since. */
const chargesOf = (charges: XmlNode | undefined): number => {
  if (charges === undefined) return 0
  const records = childrenOf(charges, "Rcrd")
  const all = records.length === 0 ? [charges] : records
  return all.reduce((sum, record) => {
    const amount = minorUnits(textAt(record, "Amt") ?? "") ?? 0
    return directionOf(record) === "CREDIT" ? sum - amount : sum + amount
  }, 0)
}

/** The day of a date, or of an instant on the bank's own clock. */
const dayAt = (node: XmlNode | undefined): LocalDate | undefined => {
  const text = textAt(node, "Dt") ?? textAt(node, "DtTm") ?? textAt(node)
  return text === undefined ? undefined : parseDay(text.slice(0, 10))
}

/** Banks write these where the payer gave nothing. */
const provided = (text: string | undefined): string | undefined =>
  text === undefined || /^(?:NOT ?PROVIDED|NOT ?AVAILABLE|NONREF|NONE)$/iu.test(text)
    ? undefined
    : text

const compactIban = (text: string | undefined): string | undefined =>
  text?.replaceAll(/\s/gu, "").toUpperCase()

const wholeNumber = (text: string | undefined): number | undefined => {
  const digits = text?.trim() ?? ""
  return /^\d{1,15}$/u.test(digits) ? Number(digits) : undefined
}
