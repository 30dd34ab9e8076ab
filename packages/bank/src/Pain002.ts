/** Status reports, pain.002 of any version: what a bank says of a file, a group or a payment of ours. */
import { isSuccess } from "@quittance/domain/payments/ReturnReason"
import type { BankFileEvent, PaymentStatusReport } from "./BankEntry.ts"
import { versionOf } from "./Camt.ts"
import { childrenOf, type MessageReader, textAt, type XmlNode } from "./XmlReader.ts"

/** Whether a root element is that of a status report; the first version had its own name there. */
export const isStatusReport = (root: string): boolean =>
  root === "CstmrPmtStsRpt" || root.startsWith("pain.002.")

export const readStatuses = (namespace: string): MessageReader<BankFileEvent> => {
  let events: Array<BankFileEvent> = []
  let messageId = ""
  let group: { id: string; code: string | undefined; reasons: ReadonlyArray<XmlNode> } | undefined
  let isTold = false
  const tell = (id?: string) => {
    if (isTold) return
    isTold = true
    events.push({ kind: "MESSAGE", message: "pain.002", version: versionOf(namespace), id })
  }
  const tellStatus = (status: PaymentStatusReport) => {
    tell()
    events.push({ kind: "STATUS", status })
  }
  /** A group's own status is told once, before the payments in it. */
  const tellGroup = () => {
    if (group?.code === undefined) return
    tellStatus(statusOf("GROUP", group.id, messageId, group.code, group.reasons))
    group = { ...group, code: undefined }
  }
  return {
    containers: new Set(["OrgnlPmtInfAndSts"]),
    open: (container) => {
      if (container === "OrgnlPmtInfAndSts") group = { id: "", code: undefined, reasons: [] }
    },
    record: (node) => {
      if (node.name === "GrpHdr") tell(textAt(node, "MsgId"))
      else if (node.name === "OrgnlGrpInfAndSts") {
        messageId = textAt(node, "OrgnlMsgId") ?? ""
        const code = textAt(node, "GrpSts")
        const reasons = childrenOf(node, "StsRsnInf")
        if (code !== undefined) tellStatus(statusOf("FILE", messageId, messageId, code, reasons))
      } else if (node.name === "TxInfAndSts") {
        tellGroup()
        const id = textAt(node, "OrgnlEndToEndId") ?? textAt(node, "OrgnlInstrId") ?? ""
        const reasons = childrenOf(node, "StsRsnInf")
        const code = textAt(node, "TxSts") ?? (reasons.length > 0 ? "RJCT" : "")
        const status = statusOf("PAYMENT", id, messageId, code, reasons)
        tellStatus({ ...status, paymentInformationId: group?.id })
      } else if (group !== undefined) {
        if (node.name === "OrgnlPmtInfId") group.id = node.text.trim()
        if (node.name === "PmtInfSts") group.code = node.text.trim()
        if (node.name === "StsRsnInf") group.reasons = [...group.reasons, node]
      }
    },
    close: (container) => {
      tell()
      if (container !== "OrgnlPmtInfAndSts") return
      tellGroup()
      group = undefined
    },
    take: () => {
      const taken = events
      events = []
      return taken
    }
  }
}

const accepted = new Set(["ACCP", "ACTC", "ACSP", "ACSC", "ACCC", "ACWC", "ACWP"])

/** What the payee's bank says of a name (EPC Verification of Payee). */
const payeeChecks: Readonly<Record<string, NonNullable<PaymentStatusReport["payeeCheck"]>>> = {
  RCVC: "MATCH",
  RVMC: "CLOSE_MATCH",
  RVNM: "NO_MATCH",
  RVNA: "NOT_POSSIBLE"
}

const statusOf = (
  level: PaymentStatusReport["level"],
  id: string,
  messageId: string,
  code: string,
  reasons: ReadonlyArray<XmlNode>
): PaymentStatusReport => {
  const codes = reasons.flatMap(
    (reason) => textAt(reason, "Rsn", "Cd") ?? textAt(reason, "Rsn", "Prtry") ?? []
  )
  const reasonCode = codes.find((one) => !isSuccess(one))
  const payeeCheck = [code, ...codes]
    .map((one) => payeeChecks[one])
    .find((one) => one !== undefined)
  return {
    level,
    id,
    messageId,
    code,
    outcome: outcomeOf(code, reasonCode, codes),
    ...(reasonCode === undefined || payeeChecks[reasonCode] !== undefined ? {} : { reasonCode }),
    ...(payeeCheck === undefined ? {} : { payeeCheck }),
    texts: reasons.flatMap((reason) =>
      childrenOf(reason, "AddtlInf").map(({ text }) => text.trim())
    )
  }
}

/** A refusal whose only reason is that all went well is none: some banks list successes among returns. */
const outcomeOf = (
  code: string,
  reasonCode: string | undefined,
  codes: ReadonlyArray<string>
): PaymentStatusReport["outcome"] => {
  if (code === "RJCT") return codes.length > 0 && reasonCode === undefined ? "ACCEPTED" : "REJECTED"
  return accepted.has(code) ? "ACCEPTED" : "WAITING"
}
