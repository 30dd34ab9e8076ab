/** Files of operations without an effect, and why they are there all the same. */
export const withoutEffect: Readonly<Record<string, string>> = {
  "assets/AssetCsv.ts": "reads CSV with a library",
  "audit/AuditChain.ts": "hashes with Node",
  "authorization-server/SignInStep.ts": "names what two services hand over",
  "billing/BillingDecision.ts": "puts what happened into events and the audit trail",
  "mail/MailMessage.ts": "hashes with Node",
  "policies/ProratedQuote.ts": "puts prices and billing together",
  "portfolio/PortfolioFilter.ts": "asks persistence",
  "portfolio/SimulatedPrice.ts": "puts policies and prices together",
  "portfolio/SimulationTally.ts": "puts policies and prices together",
  "signatures/FaultTexts.ts": "puts the faults of two packages into words",
  "tokens/IdleSignIns.ts": "reads a setting",
  "values/Sha256.ts": "hashes with Node",
  "worker/DueDecision.ts": "puts billing and renewals together"
}
