/**
 * The days that a certificate may name: covered, and paid for without a break from today on. A certificate
 * for unpaid time would prove a cover that the law may take away (R211-15 code des assurances).
 */
import type { Invoice } from "@quittance/domain/billing/Invoice"
import {
  CertificateNotAvailable,
  type CertificateObstacle
} from "@quittance/domain/documents/CertificateNotAvailable"
import type { PolicyStatus } from "@quittance/domain/policies/Policy"
import { addDays, type LocalDate } from "@quittance/domain/values/LocalDate"
import { Result } from "effect"

export interface CertificateInput {
  readonly status: PolicyStatus
  readonly today: LocalDate
  /** The first day without cover, where the policy is to stop. */
  readonly endsOn?: LocalDate | undefined
  readonly invoices: ReadonlyArray<Pick<Invoice, "period" | "status" | "type">>
}

/** From the first day of the unbroken run that today lies in, to its last. */
export const certificatePeriod = ({
  endsOn,
  invoices,
  status,
  today
}: CertificateInput): Result.Result<
  { readonly from: LocalDate; readonly to: LocalDate },
  CertificateNotAvailable
> => {
  const obstacle = obstacles[status]
  if (obstacle !== undefined) return Result.fail(new CertificateNotAvailable({ reason: obstacle }))
  const paid = runs(
    invoices
      .filter((invoice) => invoice.type === "INVOICE" && invoice.status === "PAID")
      .map(({ period }) => period)
  )
  const run = paid.find(({ end, start }) => start <= today && today < end)
  const end = run === undefined || endsOn === undefined || run.end < endsOn ? run?.end : endsOn
  return run === undefined || end === undefined || end <= today
    ? Result.fail(new CertificateNotAvailable({ reason: "NOTHING_PAID" }))
    : Result.succeed({ from: run.start, to: addDays(end, -1) })
}

const obstacles: Readonly<Partial<Record<PolicyStatus, CertificateObstacle>>> = {
  POLICY_CREATED: "NOT_STARTED",
  POLICY_QUOTED: "NOT_STARTED",
  POLICY_CONFIRMED: "NOT_STARTED",
  POLICY_SIGNED: "NOT_STARTED",
  POLICY_SUSPENDED: "SUSPENDED",
  POLICY_STOPPED: "STOPPED"
}

interface Days {
  readonly start: LocalDate
  readonly end: LocalDate
}

/** Periods that touch or overlap as one. */
const runs = (periods: ReadonlyArray<Days>): ReadonlyArray<Days> => {
  const all: Array<Days> = []
  for (const period of [...periods].sort((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = all.at(-1)
    if (last === undefined || period.start > last.end) all.push(period)
    else if (period.end > last.end) all[all.length - 1] = { ...last, end: period.end }
  }
  return all
}
