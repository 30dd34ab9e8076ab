/** The deadlines that French law sets for claims (code des assurances). Contracts may be kinder to the insured. */
import type { DeadlineRule } from "../products/claims/DeadlineRule.ts"

const warnDays = 10
const inMonths = (amount: number) => ({ amount, unit: "MONTH" }) as const
const inDays = (amount: number) => ({ amount, unit: "DAY" }) as const

/**
 * `DECLARE…` are the insured's. A contract may give them longer, and a late declaration costs cover only where the
 * contract says so and the insurer shows harm (art. L113-2).
 *
 * `CATNAT_…` are the insurer's after a natural disaster (art. L125-2 as of law 2021-1837). Its cover is answered
 * within a month of the later of declaration and decree. An offer follows within a month of the expert's report, or
 * of the estimate where no expert was asked. What was accepted is paid within 21 days, or given to a repairer within
 * a month.
 *
 * `VICTIM_…` are those of a motor insurer towards victims (art. L211-9). Where an offer is late, interest runs at
 * twice the legal rate (art. L211-13).
 */
export const frenchDeadlines = {
  DECLARE: {
    law: "L113-2",
    from: ["INCIDENT_KNOWN"],
    take: "LATEST",
    duration: inDays(5),
    working: true,
    metBy: ["DECLARED"],
    metBefore: true,
    warnDays: 0
  },
  DECLARE_THEFT: {
    law: "L113-2",
    from: ["INCIDENT_KNOWN"],
    take: "LATEST",
    duration: inDays(2),
    working: true,
    metBy: ["DECLARED"],
    metBefore: true,
    warnDays: 0
  },
  DECLARE_CATNAT: {
    law: "L125-2",
    from: ["DECREE_PUBLISHED"],
    take: "LATEST",
    duration: inDays(30),
    metBy: ["DECLARED"],
    metBefore: true,
    warnDays
  },
  CATNAT_COVER: {
    law: "L125-2",
    from: ["DECLARED", "DECREE_PUBLISHED"],
    take: "LATEST",
    duration: inMonths(1),
    metBy: ["COVER_ANSWERED"],
    warnDays
  },
  CATNAT_OFFER_AFTER_REPORT: {
    law: "L125-2",
    from: ["EXPERT_REPORT_RECEIVED"],
    take: "LATEST",
    duration: inMonths(1),
    metBy: ["OFFER_MADE"],
    warnDays
  },
  CATNAT_OFFER_AFTER_ESTIMATE: {
    law: "L125-2",
    from: ["ESTIMATE_RECEIVED"],
    take: "LATEST",
    duration: inMonths(1),
    metBy: ["OFFER_MADE"],
    warnDays
  },
  CATNAT_PAYMENT: {
    law: "L125-2",
    from: ["OFFER_ACCEPTED"],
    take: "LATEST",
    duration: inDays(21),
    metBy: ["PAID"],
    warnDays: 5
  },
  CATNAT_REPAIRER: {
    law: "L125-2",
    from: ["OFFER_ACCEPTED"],
    take: "LATEST",
    duration: inMonths(1),
    metBy: ["REPAIRER_ASSIGNED"],
    warnDays
  },
  VICTIM_PROPERTY: {
    law: "L211-9",
    from: ["VICTIM_CLAIMED"],
    take: "LATEST",
    duration: inMonths(3),
    metBy: ["OFFER_MADE", "REASONED_REPLY"],
    warnDays: 30
  },
  VICTIM_INJURY: {
    law: "L211-9",
    from: ["INCIDENT"],
    take: "LATEST",
    duration: inMonths(8),
    metBy: ["OFFER_MADE"],
    warnDays: 30
  },
  VICTIM_FINAL_OFFER: {
    law: "L211-9",
    from: ["CONSOLIDATION_KNOWN"],
    take: "LATEST",
    duration: inMonths(5),
    metBy: ["FINAL_OFFER_MADE"],
    warnDays: 30
  }
} as const satisfies Readonly<Record<string, DeadlineRule>>

export type FrenchDeadline = keyof typeof frenchDeadlines
