/** Products and sources of prices: none is about a person. */
import type { DataMap } from "../../values/PersonalData.ts"

export const productData = {
  product_version: {
    class: "NONE",
    none: "tenant_id product_id version seq definition published_at"
  },
  quote_provider: {
    class: "NONE",
    none: "tenant_id id url key_id encrypted_secret try_timeout total_timeout created_at last_modified_at"
  }
} satisfies DataMap
