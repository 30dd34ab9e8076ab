/**
 * The areas of the house, in order: each may import itself and those named beside it, all of which
 * stand before it. Every layer has one folder for each area that has something to say there.
 */
export const areas: Readonly<Record<string, ReadonlyArray<string>>> = {
  telemetry: [],
  values: [],
  requests: ["telemetry", "values"],
  tenants: ["values", "requests"],
  mail: ["values"],
  tokens: ["telemetry", "values", "requests", "tenants"],
  access: ["values", "requests", "tenants", "mail", "tokens"],
  audit: ["values", "requests", "access"],
  contents: ["values", "requests", "tokens"],
  "authorization-server": ["values", "requests", "tenants", "tokens", "access"],
  products: ["values", "requests", "tenants", "tokens", "access"],
  periods: ["values", "products"],
  policies: ["values", "requests", "tenants", "access", "products", "periods"],
  events: ["values", "requests", "mail", "access", "policies"],
  webhooks: ["telemetry", "values", "requests", "tenants", "tokens", "access", "events"],
  sessions: ["values", "requests", "tenants", "tokens", "access", "products"],
  assets: ["values", "requests", "access", "products", "policies"],
  claims: ["values", "requests", "products", "policies", "assets"],
  quotes: ["values", "requests", "tenants", "access", "products", "policies"],
  billing: ["values", "requests", "access", "audit", "products", "periods", "policies"],
  customers: ["values", "requests", "tenants", "access", "products", "policies", "billing"],
  accounting: ["values", "requests", "tenants", "access", "policies", "billing", "customers"],
  branches: ["values", "requests", "access", "products", "policies", "billing"],
  payments: [
    "values",
    "requests",
    "tenants",
    "tokens",
    "access",
    "products",
    "policies",
    "billing",
    "customers"
  ],
  treasury: [
    "values",
    "requests",
    "tenants",
    "access",
    "contents",
    "policies",
    "billing",
    "payments"
  ],
  payouts: [
    "values",
    "requests",
    "tenants",
    "access",
    "policies",
    "billing",
    "customers",
    "payments",
    "treasury"
  ],
  collections: [
    "tenants",
    "tokens",
    "mail",
    "contents",
    "treasury",
    "values",
    "requests",
    "access",
    "products",
    "policies",
    "billing",
    "customers",
    "payments"
  ],
  dunning: [
    "values",
    "requests",
    "tenants",
    "access",
    "products",
    "periods",
    "policies",
    "billing"
  ],
  renewals: ["values", "requests", "products", "policies", "quotes", "branches"],
  privacy: ["values", "requests", "tenants", "access", "customers"],
  documents: [
    "values",
    "requests",
    "tenants",
    "mail",
    "tokens",
    "access",
    "contents",
    "products",
    "policies",
    "events",
    "assets",
    "billing",
    "customers",
    "dunning"
  ],
  signatures: [
    "values",
    "requests",
    "tenants",
    "tokens",
    "access",
    "contents",
    "products",
    "policies",
    "documents"
  ],
  compliance: [
    "values",
    "requests",
    "tenants",
    "access",
    "products",
    "policies",
    "customers",
    "documents"
  ],
  worker: [
    "telemetry",
    "values",
    "requests",
    "tenants",
    "access",
    "audit",
    "policies",
    "billing",
    "accounting",
    "dunning",
    "renewals"
  ],
  lifecycle: [
    "values",
    "requests",
    "access",
    "products",
    "policies",
    "quotes",
    "billing",
    "branches",
    "compliance",
    "signatures",
    "dunning"
  ],
  ceremonies: [
    "values",
    "requests",
    "tenants",
    "mail",
    "tokens",
    "access",
    "contents",
    "products",
    "policies",
    "quotes",
    "customers",
    "documents",
    "signatures",
    "compliance",
    "lifecycle"
  ],
  withdrawals: [
    "values",
    "requests",
    "tenants",
    "mail",
    "tokens",
    "access",
    "products",
    "policies",
    "billing",
    "customers",
    "compliance",
    "lifecycle"
  ],
  portfolio: [
    "values",
    "requests",
    "tenants",
    "products",
    "policies",
    "quotes",
    "billing",
    "renewals"
  ],
  reconciliation: ["values", "requests", "billing", "payments", "treasury"],
  provisioning: ["values", "requests", "tenants", "tokens", "access", "products"]
}

/** The packages that are divided into areas. */
export const layers = ["domain", "billing", "contract", "persistence", "operations"]

/** Folders beside the areas: persistence's are below all of them, and the contract's `api` above. */
export const infrastructure: Readonly<Record<string, ReadonlyArray<string>>> = {
  persistence: ["sql", "migrations"],
  contract: ["api"]
}
