/** Status reports as a bank writes them: for the simulated bank, which answers with files. */
import { branch, declaration, documentTag, leaf } from "./XmlText.ts"

/** What a bank says of a file. */
export interface StatusReportText {
  readonly id: string
  /** On the bank's clock, such as `2026-11-30T08:00:00`. */
  readonly createdAt: string
  readonly messageId: string
  /** The message that it answers, such as `pain.008.001.08`. */
  readonly message: string
  readonly count: number
  /** `ACCP`, `PART` or `RJCT`. */
  readonly code: string
  readonly reasonCode?: string | undefined
  /** The groups of which payments are told. */
  readonly groups: ReadonlyArray<{
    readonly paymentInformationId: string
    readonly code: string
    readonly payments: ReadonlyArray<{
      readonly endToEndId: string
      readonly code: string
      readonly reasonCode: string
    }>
  }>
}

/** The text of a pain.002.001.10. */
export const writeStatusReport = (report: StatusReportText): string => {
  const reason = (code: string | undefined) =>
    code === undefined ? "" : `<StsRsnInf><Rsn>${leaf("Cd", code)}</Rsn></StsRsnInf>`
  return (
    declaration +
    documentTag("pain.002.001.10") +
    branch(
      "CstmrPmtStsRpt",
      branch("GrpHdr", leaf("MsgId", report.id), leaf("CreDtTm", report.createdAt)),
      branch(
        "OrgnlGrpInfAndSts",
        leaf("OrgnlMsgId", report.messageId),
        leaf("OrgnlMsgNmId", report.message),
        leaf("OrgnlNbOfTxs", String(report.count)),
        leaf("GrpSts", report.code),
        reason(report.reasonCode)
      ),
      ...report.groups.map(({ code, paymentInformationId, payments }) =>
        branch(
          "OrgnlPmtInfAndSts",
          leaf("OrgnlPmtInfId", paymentInformationId),
          leaf("PmtInfSts", code),
          ...payments.map((payment) =>
            branch(
              "TxInfAndSts",
              leaf("OrgnlEndToEndId", payment.endToEndId),
              leaf("TxSts", payment.code),
              reason(payment.reasonCode)
            )
          )
        )
      )
    ) +
    "</Document>\n"
  )
}
