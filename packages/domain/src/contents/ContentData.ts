/** Bytes of documents. Without its sealed key a content can't be read by anyone. */
import { personal, type DataMap } from "../values/PersonalData.ts"

export const contentData = {
  content_key: { class: "NONE", none: "tenant_id sealed_key" },
  content: {
    class: "CONTRACT",
    none: "tenant_id address size store name created_at touched_at stored_at",
    personal: {
      sha256: personal("TECHNICAL", "DELETE"),
      sealed_key: personal("TECHNICAL", "DELETE")
    }
  },
  content_part: {
    class: "CONTRACT",
    none: "tenant_id name number created_at",
    personal: { bytes: personal("FREE_TEXT", "DELETE") }
  },
  content_removal: { class: "NONE", none: "tenant_id name store created_at" },
  content_collection: { class: "NONE", none: "tenant_id due_at" }
} satisfies DataMap
