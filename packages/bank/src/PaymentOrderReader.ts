/** Reads files of payments as the bank that gets them does: pain.008 and pain.001 of the versions we write. */
import { InvalidBankFile } from "@quittance/domain/payments/BankFile"
import { type Instant, parse as parseInstant } from "@quittance/domain/values/Instant"
import { type LocalDate, parse as parseDay } from "@quittance/domain/values/LocalDate"
import { minorUnits } from "./Decimal.ts"
import type {
  Account,
  Amendment,
  CollectionFile,
  DebitGroup,
  DebitOrder,
  Party,
  SequenceType,
  TransferFile,
  TransferGroup,
  TransferOrder
} from "./PaymentOrders.ts"
import { child, type MessageReader, textAt, type XmlNode, XmlReader } from "./XmlReader.ts"
import { XmlBytes } from "./XmlBytes.ts"

/** A file of payments with all its orders in memory. */
export type PaymentOrders =
  | { readonly kind: "COLLECTION"; readonly message: string; readonly file: CollectionFile }
  | { readonly kind: "TRANSFERS"; readonly message: string; readonly file: TransferFile }

/**
 * The payments that a file asks for. What it lacks is empty, and an amount that can't be one is `NaN`: the
 * profile then says what a bank refuses.
 *
 * @throws InvalidBankFile where it is neither a collection nor a file of transfers
 */
export const readPaymentOrders = (pieces: Iterable<Uint8Array>): PaymentOrders => {
  const [bytes, xml] = [new XmlBytes(), new XmlReader<Group>(readerOf)]
  const found: Array<Group> = []
  for (const piece of pieces) found.push(...xml.write(bytes.write(piece)))
  found.push(...xml.write(bytes.end()), ...xml.end())
  const [first] = found
  if (first === undefined) throw new InvalidBankFile({ reason: "UNKNOWN_MESSAGE", line: 1 })
  const message = /pain\.\d{3}\.\d{3}\.\d{2}/u.exec(first.namespace)?.[0] ?? ""
  const head = headOf(first.head)
  return first.root === "CstmrDrctDbtInitn"
    ? { kind: "COLLECTION", message, file: { ...head, groups: found.map(debitGroup) } }
    : { kind: "TRANSFERS", message, file: { ...head, groups: found.map(transferGroup) } }
}

/** A group as it stands in the file. */
interface Group {
  readonly root: string
  readonly namespace: string
  readonly head: XmlNode | undefined
  readonly parts: ReadonlyArray<XmlNode>
}

const readerOf = (root: string, namespace: string): MessageReader<Group> | undefined => {
  if (root !== "CstmrDrctDbtInitn" && root !== "CstmrCdtTrfInitn") return undefined
  let groups: Array<Group> = []
  let head: XmlNode | undefined
  let parts: Array<XmlNode> = []
  return {
    containers: new Set(["PmtInf"]),
    open: () => {
      parts = []
    },
    record: (node, container) => {
      if (container === "PmtInf") parts.push(node)
      else if (node.name === "GrpHdr") head = node
    },
    close: (container) => {
      if (container === "PmtInf") groups.push({ root, namespace, head, parts })
    },
    take: () => {
      const taken = groups
      groups = []
      return taken
    }
  }
}

const headOf = (head: XmlNode | undefined) => ({
  messageId: textAt(head, "MsgId") ?? "",
  createdAt: instantOf(textAt(head, "CreDtTm")),
  initiator: textAt(head, "InitgPty", "Nm") ?? "",
  count: Number(textAt(head, "NbOfTxs")),
  sum: minorUnits(textAt(head, "CtrlSum") ?? "") ?? Number.NaN
})

const groupHead = (group: XmlNode) => ({
  paymentInformationId: textAt(group, "PmtInfId") ?? "",
  batchBooking: textAt(group, "BtchBookg") !== "false",
  count: Number(textAt(group, "NbOfTxs")),
  sum: minorUnits(textAt(group, "CtrlSum") ?? "") ?? Number.NaN
})

/** The parts of a group as one node. */
const nodeOf = ({ parts }: Group): XmlNode => ({
  name: "PmtInf",
  text: "",
  attributes: {},
  children: [...parts]
})

const debitGroup = (found: Group): DebitGroup => {
  const group = nodeOf(found)
  return {
    ...groupHead(group),
    scheme: textAt(group, "PmtTpInf", "LclInstrm", "Cd") === "B2B" ? "B2B" : "CORE",
    sequence: sequences.find((one) => one === textAt(group, "PmtTpInf", "SeqTp")) ?? "RCUR",
    collectOn: dayOf(textAt(group, "ReqdColltnDt")),
    creditor: partyOf(group, "Cdtr"),
    account: accountOf(group, "Cdtr"),
    creditorIdentifier: textAt(group, "CdtrSchmeId", "Id", "PrvtId", "Othr", "Id") ?? "",
    orders: found.parts.filter(({ name }) => name === "DrctDbtTxInf").map(debitOrder)
  }
}

const sequences: ReadonlyArray<SequenceType> = ["FRST", "RCUR", "OOFF", "FNAL"]

const debitOrder = (node: XmlNode): DebitOrder => {
  const mandate = child(child(node, "DrctDbtTx"), "MndtRltdInf")
  const amendment = amendmentOf(child(mandate, "AmdmntInfDtls"))
  return {
    ...orderOf(node, child(node, "InstdAmt")),
    umr: textAt(mandate, "MndtId") ?? "",
    signedOn: dayOf(textAt(mandate, "DtOfSgntr")),
    ...(amendment === undefined ? {} : { amendment }),
    debtor: partyOf(node, "Dbtr"),
    account: accountOf(node, "Dbtr")
  }
}

const amendmentOf = (details: XmlNode | undefined): Amendment | undefined => {
  if (details === undefined) return undefined
  const originalUmr = textAt(details, "OrgnlMndtId")
  const originalCreditorIdentifier = textAt(
    details,
    "OrgnlCdtrSchmeId",
    "Id",
    "PrvtId",
    "Othr",
    "Id"
  )
  return {
    ...(originalUmr === undefined ? {} : { originalUmr }),
    ...(originalCreditorIdentifier === undefined ? {} : { originalCreditorIdentifier }),
    ...(textAt(details, "OrgnlDbtrAcct", "Id", "Othr", "Id") === "SMNDA"
      ? { isNewAccount: true }
      : {})
  }
}

const transferGroup = (found: Group): TransferGroup => {
  const group = nodeOf(found)
  return {
    ...groupHead(group),
    speed: textAt(group, "PmtTpInf", "LclInstrm", "Cd") === "INST" ? "INSTANT" : "STANDARD",
    executeOn: dayOf(textAt(group, "ReqdExctnDt", "Dt") ?? textAt(group, "ReqdExctnDt")),
    debtor: partyOf(group, "Dbtr"),
    account: accountOf(group, "Dbtr"),
    orders: found.parts.filter(({ name }) => name === "CdtTrfTxInf").map(transferOrder)
  }
}

const transferOrder = (node: XmlNode): TransferOrder => ({
  ...orderOf(node, child(child(node, "Amt"), "InstdAmt")),
  creditor: partyOf(node, "Cdtr"),
  account: accountOf(node, "Cdtr")
})

const orderOf = (node: XmlNode, amount: XmlNode | undefined) => ({
  endToEndId: textAt(node, "PmtId", "EndToEndId") ?? "",
  amount: minorUnits(amount?.text ?? "") ?? Number.NaN,
  currency: amount?.attributes["Ccy"] ?? "",
  remittance: textAt(node, "RmtInf", "Ustrd") ?? ""
})

const partyOf = (node: XmlNode, role: "Dbtr" | "Cdtr"): Party => {
  const address = child(child(node, role), "PstlAdr")
  const part = (name: "street" | "number" | "postcode", element: string) => {
    const text = textAt(address, element)
    return text === undefined ? {} : { [name]: text }
  }
  return {
    name: textAt(node, role, "Nm") ?? "",
    ...(address === undefined
      ? {}
      : {
          address: {
            ...part("street", "StrtNm"),
            ...part("number", "BldgNb"),
            ...part("postcode", "PstCd"),
            town: textAt(address, "TwnNm") ?? "",
            country: textAt(address, "Ctry") ?? ""
          }
        })
  }
}

const accountOf = (node: XmlNode, role: "Dbtr" | "Cdtr"): Account => {
  const bank = child(child(node, `${role}Agt`), "FinInstnId")
  const bic = textAt(bank, "BICFI") ?? textAt(bank, "BIC")
  return {
    iban: textAt(node, `${role}Acct`, "Id", "IBAN") ?? "",
    ...(bic === undefined ? {} : { bic })
  }
}

/** A day that is missing or none is the first of all: no bank takes it. */
const dayOf = (text: string | undefined): LocalDate =>
  parseDay(text?.slice(0, 10) ?? "") ?? firstDay
const firstDay = parseDay("0001-01-01")!

const instantOf = (text: string | undefined): Instant =>
  parseInstant(text ?? "") ?? parseInstant("1900-01-01T00:00:00Z")!
