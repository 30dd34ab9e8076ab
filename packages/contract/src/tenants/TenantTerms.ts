/** What the members of a tenant's configuration mean. */
export const tenantTerms = {
  tenant: "The tenant, by its identifier.",
  "TenantConfig.name": "The name of the tenant.",
  environment: "The environment of the service; real policies are only in `production`.",
  locale: "The language and country of texts, as a BCP 47 tag such as `fr-FR`.",
  "TenantConfig.currency":
    "The tenant's usual currency as a code of ISO 4217; each product has its own.",
  timeZone: "The time zone of local days, by its IANA name such as `Europe/Paris`.",
  products: "The products that the tenant sells now.",
  "products.name": "The name of the product.",
  "products.version": "The version that is sold now."
}
