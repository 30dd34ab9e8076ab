/** What the members of a tenant's configuration mean. */
export const tenantTerms = {
  tenant: "The tenant, by its identifier.",
  "TenantConfig.name": "What the tenant is called.",
  environment: "Where the service runs: with real policies only in `production`.",
  locale: "The language and country of texts, as a BCP 47 tag such as `fr-FR`.",
  "TenantConfig.currency":
    "The tenant's usual currency as a code of ISO 4217; each product has its own.",
  timeZone: "The time zone of local days, by its IANA name such as `Europe/Paris`.",
  products: "What the tenant sells now.",
  "products.name": "What the product is called.",
  "products.version": "The version that is sold now."
}
