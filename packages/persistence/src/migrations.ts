import migration0001 from "./migrations/0001_create_tenants.ts"
import migration0002 from "./migrations/0002_create_search.ts"
import migration0003 from "./migrations/0003_create_requests.ts"
import migration0004 from "./migrations/0004_create_firms_and_users.ts"
import migration0005 from "./migrations/0005_create_roles_and_grants.ts"
import migration0006 from "./migrations/0006_create_clients.ts"
import migration0007 from "./migrations/0007_create_keys_and_revocations.ts"
import migration0008 from "./migrations/0008_create_audit.ts"
import migration0009 from "./migrations/0009_create_tokens_of_users.ts"
import migration0010 from "./migrations/0010_create_sign_in.ts"
import migration0011 from "./migrations/0011_create_products.ts"
import migration0012 from "./migrations/0012_create_policies.ts"
import migration0013 from "./migrations/0013_create_policy_answers.ts"
import migration0014 from "./migrations/0014_create_branches.ts"
import migration0015 from "./migrations/0015_create_customers.ts"
import migration0016 from "./migrations/0016_index_words.ts"
import migration0017 from "./migrations/0017_create_sessions_and_invitations.ts"
import migration0018 from "./migrations/0018_create_quotes.ts"
import migration0019 from "./migrations/0019_create_invoices.ts"
import migration0020 from "./migrations/0020_create_entries.ts"
import migration0021 from "./migrations/0021_create_receivables.ts"
import migration0022 from "./migrations/0022_create_payments.ts"
import migration0023 from "./migrations/0023_create_dunning.ts"
import migration0024 from "./migrations/0024_create_worker.ts"
import migration0400 from "./migrations/0400_record_source_of_sign_ins.ts"
import migration0401 from "./migrations/0401_name_account_of_guesses.ts"
import migration0410 from "./migrations/0410_disable_tenants.ts"
import migration0411 from "./migrations/0411_keep_letter_failures.ts"
import migration0420 from "./migrations/0420_give_events_subjects.ts"
import migration0421 from "./migrations/0421_create_event_feed.ts"
import migration0430 from "./migrations/0430_view_invoice_lines.ts"
import migration0431 from "./migrations/0431_date_counters.ts"
import migration0450 from "./migrations/0450_find_events.ts"
import migration0451 from "./migrations/0451_tell_effects.ts"
import migration0470 from "./migrations/0470_create_webhooks.ts"
import migration0471 from "./migrations/0471_create_replays.ts"
import migration0500 from "./migrations/0500_trace_events.ts"
import migration0510 from "./migrations/0510_create_contents.ts"
import migration0511 from "./migrations/0511_create_documents.ts"
import migration0512 from "./migrations/0512_record_documents.ts"
import migration0520 from "./migrations/0520_take_uploads.ts"
import migration0550 from "./migrations/0550_create_bank_accounts.ts"
import migration0551 from "./migrations/0551_create_payment_methods.ts"
import migration0552 from "./migrations/0552_create_mandates.ts"
import migration0560 from "./migrations/0560_create_notice_letters.ts"
import migration0570 from "./migrations/0570_prove_deliveries.ts"
import migration0571 from "./migrations/0571_void_documents.ts"
import migration0572 from "./migrations/0572_make_documents_ahead.ts"
import migration0600 from "./migrations/0600_step_signatures.ts"
import migration0620 from "./migrations/0620_create_compliance.ts"
import migration0621 from "./migrations/0621_create_statements.ts"
import migration0640 from "./migrations/0640_create_privacy_requests.ts"
import migration0660 from "./migrations/0660_create_due_items.ts"
import migration0680 from "./migrations/0680_create_treasury.ts"
import migration0700 from "./migrations/0700_give_roles_authority.ts"
import migration0701 from "./migrations/0701_create_payouts.ts"
import migration0702 from "./migrations/0702_create_screening.ts"
import migration0720 from "./migrations/0720_create_document_files.ts"
import migration0750 from "./migrations/0750_create_withdrawals.ts"
import migration0760 from "./migrations/0760_create_erasures.ts"
import migration0770 from "./migrations/0770_create_debits.ts"
import migration0790 from "./migrations/0790_request_signatures.ts"
import migration0791 from "./migrations/0791_create_ceremonies.ts"
import migration0800 from "./migrations/0800_create_seal_keys.ts"
import migration0801 from "./migrations/0801_create_signature_seals.ts"
import migration0810 from "./migrations/0810_create_document_links.ts"
import migration0830 from "./migrations/0830_say_how_invoices_are_paid_instead.ts"
import migration0831 from "./migrations/0831_create_payment_files.ts"
import migration0840 from "./migrations/0840_keep_owed_balances.ts"
import migration0850 from "./migrations/0850_create_retention.ts"
import migration0860 from "./migrations/0860_send_document_letters.ts"
import migration0865 from "./migrations/0865_create_document_requests.ts"
import migration0870 from "./migrations/0870_create_content_collections.ts"
import migration0875 from "./migrations/0875_hear_banks.ts"
import migration0880 from "./migrations/0880_tell_payers_of_debits.ts"
import migration0881 from "./migrations/0881_deliver_files_to_folders.ts"
import migration0885 from "./migrations/0885_link_signers.ts"
import migration0900 from "./migrations/0900_limit_document_letters.ts"
import migration0901 from "./migrations/0901_link_document_requests.ts"
import migration0905 from "./migrations/0905_unblock_mandates.ts"
import migration0906 from "./migrations/0906_answer_as_bank.ts"
import migration0907 from "./migrations/0907_receive_simulated_transfers.ts"
import migration0908 from "./migrations/0908_say_what_simulated_bank_has.ts"
import migration0920 from "./migrations/0920_create_signature_evidence.ts"
import migration0921 from "./migrations/0921_count_letters_for_addresses.ts"

/** Every migration in order; `pnpm generate` writes this list. A released migration is never edited. */
export const migrations = {
  "0001_create_tenants": migration0001,
  "0002_create_search": migration0002,
  "0003_create_requests": migration0003,
  "0004_create_firms_and_users": migration0004,
  "0005_create_roles_and_grants": migration0005,
  "0006_create_clients": migration0006,
  "0007_create_keys_and_revocations": migration0007,
  "0008_create_audit": migration0008,
  "0009_create_tokens_of_users": migration0009,
  "0010_create_sign_in": migration0010,
  "0011_create_products": migration0011,
  "0012_create_policies": migration0012,
  "0013_create_policy_answers": migration0013,
  "0014_create_branches": migration0014,
  "0015_create_customers": migration0015,
  "0016_index_words": migration0016,
  "0017_create_sessions_and_invitations": migration0017,
  "0018_create_quotes": migration0018,
  "0019_create_invoices": migration0019,
  "0020_create_entries": migration0020,
  "0021_create_receivables": migration0021,
  "0022_create_payments": migration0022,
  "0023_create_dunning": migration0023,
  "0024_create_worker": migration0024,
  "0400_record_source_of_sign_ins": migration0400,
  "0401_name_account_of_guesses": migration0401,
  "0410_disable_tenants": migration0410,
  "0411_keep_letter_failures": migration0411,
  "0420_give_events_subjects": migration0420,
  "0421_create_event_feed": migration0421,
  "0430_view_invoice_lines": migration0430,
  "0431_date_counters": migration0431,
  "0450_find_events": migration0450,
  "0451_tell_effects": migration0451,
  "0470_create_webhooks": migration0470,
  "0471_create_replays": migration0471,
  "0500_trace_events": migration0500,
  "0510_create_contents": migration0510,
  "0511_create_documents": migration0511,
  "0512_record_documents": migration0512,
  "0520_take_uploads": migration0520,
  "0550_create_bank_accounts": migration0550,
  "0551_create_payment_methods": migration0551,
  "0552_create_mandates": migration0552,
  "0560_create_notice_letters": migration0560,
  "0570_prove_deliveries": migration0570,
  "0571_void_documents": migration0571,
  "0572_make_documents_ahead": migration0572,
  "0600_step_signatures": migration0600,
  "0620_create_compliance": migration0620,
  "0621_create_statements": migration0621,
  "0640_create_privacy_requests": migration0640,
  "0660_create_due_items": migration0660,
  "0680_create_treasury": migration0680,
  "0700_give_roles_authority": migration0700,
  "0701_create_payouts": migration0701,
  "0702_create_screening": migration0702,
  "0720_create_document_files": migration0720,
  "0750_create_withdrawals": migration0750,
  "0760_create_erasures": migration0760,
  "0770_create_debits": migration0770,
  "0790_request_signatures": migration0790,
  "0791_create_ceremonies": migration0791,
  "0800_create_seal_keys": migration0800,
  "0801_create_signature_seals": migration0801,
  "0810_create_document_links": migration0810,
  "0830_say_how_invoices_are_paid_instead": migration0830,
  "0831_create_payment_files": migration0831,
  "0840_keep_owed_balances": migration0840,
  "0850_create_retention": migration0850,
  "0860_send_document_letters": migration0860,
  "0865_create_document_requests": migration0865,
  "0870_create_content_collections": migration0870,
  "0875_hear_banks": migration0875,
  "0880_tell_payers_of_debits": migration0880,
  "0881_deliver_files_to_folders": migration0881,
  "0885_link_signers": migration0885,
  "0900_limit_document_letters": migration0900,
  "0901_link_document_requests": migration0901,
  "0905_unblock_mandates": migration0905,
  "0906_answer_as_bank": migration0906,
  "0907_receive_simulated_transfers": migration0907,
  "0908_say_what_simulated_bank_has": migration0908,
  "0920_create_signature_evidence": migration0920,
  "0921_count_letters_for_addresses": migration0921
}
