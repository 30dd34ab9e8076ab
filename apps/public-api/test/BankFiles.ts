/** A statement of a bank account, as a form. */
import { form } from "./Forms.ts"

export interface StatementOf {
  readonly iban: string
  readonly day: string
  /** Credits, in minor units. */
  readonly amounts: ReadonlyArray<number>
  /** In minor units. */
  readonly opening: number
  readonly closing: number
}

const euros = (amount: number): string => (amount / 100).toFixed(2)

const balance = (type: string, amount: number, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${euros(amount)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`

const entry = (amount: number, day: string): string =>
  `<Ntry><Amt Ccy="EUR">${euros(amount)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Camille Martin</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>Thank you</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`

/** That a bank rejects one debit of a file. */
export const rejectionForm = (debit: {
  readonly messageId: string
  readonly endToEndId: string
  readonly reasonCode: string
}) =>
  form(
    {},
    {
      name: "report.xml",
      type: "application/xml",
      bytes: `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>R-1</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>${debit.messageId}</OrgnlMsgId></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><OrgnlPmtInfId>${debit.messageId}-1</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>${debit.endToEndId}</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>${debit.reasonCode}</Cd></Rsn></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`
    }
  )

/** A statement with an entry for each amount; held where its balances contradict them. */
export const statementForm = ({ amounts, closing, day, iban, opening }: StatementOf) =>
  form(
    {},
    {
      name: "statement.xml",
      type: "application/xml",
      bytes: `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M-${day}</MsgId></GrpHdr><Stmt><Id>S-${day}</Id><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance("OPBD", opening, day)}${balance("CLBD", closing, day)}${amounts.map((amount) => entry(amount, day)).join("")}</Stmt></BkToCstmrStmt></Document>`
    }
  )
