import migration0001 from "./migrations/0001_create_tenants.ts"
import migration0010 from "./migrations/0010_create_brokerage_firms.ts"
import migration0011 from "./migrations/0011_create_users.ts"
import migration0012 from "./migrations/0012_create_clients.ts"
import migration0013 from "./migrations/0013_create_signing_keys.ts"
import migration0014 from "./migrations/0014_create_anonymous_sessions.ts"
import migration0015 from "./migrations/0015_create_permission_grants.ts"
import migration0016 from "./migrations/0016_create_authorization_codes.ts"
import migration0017 from "./migrations/0017_create_refresh_tokens.ts"
import migration0018 from "./migrations/0018_create_rate_limits.ts"
import migration0019 from "./migrations/0019_create_revoked_tokens.ts"
import migration0020 from "./migrations/0020_create_products.ts"
import migration0021 from "./migrations/0021_create_policies.ts"
import migration0022 from "./migrations/0022_create_changes.ts"
import migration0023 from "./migrations/0023_create_customers.ts"
import migration0024 from "./migrations/0024_create_quotes.ts"
import migration0025 from "./migrations/0025_create_records.ts"
import migration0026 from "./migrations/0026_create_counters.ts"
import migration0040 from "./migrations/0040_create_documents.ts"
import migration0041 from "./migrations/0041_create_entries.ts"
import migration0042 from "./migrations/0042_create_payments.ts"
import migration0043 from "./migrations/0043_create_notices.ts"
import migration0044 from "./migrations/0044_create_receivables.ts"
import migration0045 from "./migrations/0045_create_due_tenants.ts"
import migration0050 from "./migrations/0050_create_roles.ts"
import migration0051 from "./migrations/0051_grant_custom_roles.ts"
import migration0052 from "./migrations/0052_invite_users.ts"
import migration0053 from "./migrations/0053_bound_firm_trees.ts"
import migration0054 from "./migrations/0054_create_invitations.ts"
import migration0055 from "./migrations/0055_create_letters.ts"
import migration0057 from "./migrations/0057_allow_one_next_key.ts"
import migration0058 from "./migrations/0058_list_policies.ts"
import migration0060 from "./migrations/0060_chain_audit.ts"
import migration0070 from "./migrations/0070_lease_rate_limits.ts"
import migration0071 from "./migrations/0071_take_rate_limits_at_once.ts"
import migration0080 from "./migrations/0080_create_quote_providers.ts"
import migration0090 from "./migrations/0090_keep_branches.ts"
import migration0100 from "./migrations/0100_keep_answers.ts"
import migration0110 from "./migrations/0110_end_links.ts"
import migration0120 from "./migrations/0120_create_payment_returns.ts"
import migration0121 from "./migrations/0121_create_refunds.ts"
import migration0140 from "./migrations/0140_keep_dunning_facts.ts"
import migration0141 from "./migrations/0141_find_write_offs.ts"
import migration0150 from "./migrations/0150_keep_lines_short.ts"
import migration0153 from "./migrations/0153_own_external_ids.ts"
import migration0160 from "./migrations/0160_keep_first_forks.ts"
import migration0161 from "./migrations/0161_keep_customer_versions.ts"
import migration0165 from "./migrations/0165_write_less.ts"
import migration0166 from "./migrations/0166_find_due_in_order.ts"
import migration0168 from "./migrations/0168_derive_receivables.ts"
import migration0170 from "./migrations/0170_index_words.ts"
import migration0180 from "./migrations/0180_set_offers_aside.ts"
import migration0200 from "./migrations/0200_date_credits.ts"

/** Every migration in order. A released migration is never edited. */
export const migrations = {
  "0001_create_tenants": migration0001,
  "0010_create_brokerage_firms": migration0010,
  "0011_create_users": migration0011,
  "0012_create_clients": migration0012,
  "0013_create_signing_keys": migration0013,
  "0014_create_anonymous_sessions": migration0014,
  "0015_create_permission_grants": migration0015,
  "0016_create_authorization_codes": migration0016,
  "0017_create_refresh_tokens": migration0017,
  "0018_create_rate_limits": migration0018,
  "0019_create_revoked_tokens": migration0019,
  "0020_create_products": migration0020,
  "0021_create_policies": migration0021,
  "0022_create_changes": migration0022,
  "0023_create_customers": migration0023,
  "0024_create_quotes": migration0024,
  "0025_create_records": migration0025,
  "0026_create_counters": migration0026,
  "0040_create_documents": migration0040,
  "0041_create_entries": migration0041,
  "0042_create_payments": migration0042,
  "0043_create_notices": migration0043,
  "0044_create_receivables": migration0044,
  "0045_create_due_tenants": migration0045,
  "0050_create_roles": migration0050,
  "0051_grant_custom_roles": migration0051,
  "0052_invite_users": migration0052,
  "0053_bound_firm_trees": migration0053,
  "0054_create_invitations": migration0054,
  "0055_create_letters": migration0055,
  "0057_allow_one_next_key": migration0057,
  "0058_list_policies": migration0058,
  "0060_chain_audit": migration0060,
  "0070_lease_rate_limits": migration0070,
  "0071_take_rate_limits_at_once": migration0071,
  "0080_create_quote_providers": migration0080,
  "0090_keep_branches": migration0090,
  "0100_keep_answers": migration0100,
  "0110_end_links": migration0110,
  "0120_create_payment_returns": migration0120,
  "0121_create_refunds": migration0121,
  "0140_keep_dunning_facts": migration0140,
  "0141_find_write_offs": migration0141,
  "0150_keep_lines_short": migration0150,
  "0153_own_external_ids": migration0153,
  "0160_keep_first_forks": migration0160,
  "0161_keep_customer_versions": migration0161,
  "0165_write_less": migration0165,
  "0166_find_due_in_order": migration0166,
  "0168_derive_receivables": migration0168,
  "0170_index_words": migration0170,
  "0180_set_offers_aside": migration0180,
  "0200_date_credits": migration0200
}
