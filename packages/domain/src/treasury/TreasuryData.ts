/** Bank files, statements, their entries, and the treasury's journal. */
import { type DataMap, personal } from "../values/PersonalData.ts"

export const treasuryData = {
  bank_file: {
    class: "NONE",
    none: "tenant_id bank_account_id sha256 content_address kind received_at"
  },
  bank_statement: {
    class: "NONE",
    none: "tenant_id id bank_account_id sha256 position message statement_id sequence status reasons currency opening closing closing_on entries sum new_entries received_at accepted ordinal"
  },
  bank_entry: {
    class: "ACCOUNTING",
    none: "tenant_id id bank_account_id statement_id likeness nth part booked_on value_on amount charge currency status rule record_id flag allocated bank_reference family sub_family return_reason came_back ignored recorded_at",
    personal: {
      party_name: personal("IDENTITY", "KEEP"),
      party_last4: personal("MONEY", "KEEP"),
      party_print: personal("MONEY", "KEEP"),
      end_to_end_id: personal("FREE_TEXT", "KEEP"),
      clues: personal("FREE_TEXT", "KEEP", { "/*": personal("FREE_TEXT", "KEEP") }),
      references: personal("FREE_TEXT", "KEEP"),
      texts: personal("FREE_TEXT", "KEEP")
    }
  },
  bank_entry_match: { class: "TECHNICAL", none: "tenant_id bank_entry_id" },
  bank_entry_payment: {
    class: "ACCOUNTING",
    none: "tenant_id bank_entry_id payment_id amount is_made undone_at"
  },
  treasury_entry: {
    class: "ACCOUNTING",
    none: "tenant_id id bank_account_id kind bank_entry_id record_id booked_on recorded_at currency accounts amounts"
  },
  cash_record: {
    class: "ACCOUNTING",
    none: "tenant_id source_id record_id bank_account_id"
  }
} satisfies DataMap
