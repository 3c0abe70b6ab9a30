#include "redact/names.h"

#include <gtest/gtest.h>

#include "redact/shapes.h"

namespace deputy::redact {
namespace {

struct Row {
  std::string_view name;
  NameKind kind;
};

class Names : public testing::TestWithParam<Row> {};

constexpr Row kRows[] = {
    {"password", NameKind::password},
    {"PGPASSWORD", NameKind::password},
    {"db_password", NameKind::password},
    {"dbPassword", NameKind::password},
    {"spring.datasource.password", NameKind::password},
    {"password2", NameKind::password},
    {"DB_PASSWORD_PROD", NameKind::password},
    {"passwd", NameKind::password},
    {"pwd", NameKind::password},
    {"DB_PASS", NameKind::password},
    {"passphrase", NameKind::passphrase},
    {"secret", NameKind::reference},
    {"client_secret", NameKind::secret},
    {"clientSecret", NameKind::secret},
    {"CLIENTSECRET", NameKind::secret},
    {"webhook-secret", NameKind::secret},
    {"secret_value", NameKind::reference},
    {"SecretString", NameKind::reference},
    {"db_credentials", NameKind::secret},
    {"token", NameKind::secret},
    {"access_token", NameKind::secret},
    {"_authToken", NameKind::secret},
    {"X-Amz-Security-Token", NameKind::secret},
    {"credentials", NameKind::reference},
    {"api_key", NameKind::secret},
    {"apikey", NameKind::secret},
    {"APIKey", NameKind::secret},
    {"X-Api-Key", NameKind::secret},
    {"SecretAccessKey", NameKind::secret},
    {"aws_secret_access_key", NameKind::secret},
    {"AccountKey", NameKind::secret},
    {"signing_key", NameKind::secret},
    {"SECRET_KEY_BASE", NameKind::secret},
    {"key", NameKind::faint},
    {"routing_key", NameKind::hint},
    {"auth", NameKind::hint},
    {"authorization", NameKind::hint},
    {"pass", NameKind::pass},
    {"pw", NameKind::pass},
    {"DB_PW", NameKind::password},
    {"APP_PW", NameKind::pass},
    {"ansible_become_pass", NameKind::password},
    {"requirepass", NameKind::password},
    {"render_pass", NameKind::faint},
    {"DD_APP_KEY", NameKind::hint},
    {"", NameKind::ordinary},
    {"123", NameKind::ordinary},
    {"---", NameKind::ordinary},
    {"max_tokens", NameKind::ordinary},
    {"token_count", NameKind::ordinary},
    {"next_token", NameKind::ordinary},
    {"nextToken", NameKind::ordinary},
    {"NextContinuationToken", NameKind::ordinary},
    {"page-token", NameKind::ordinary},
    {"token_type", NameKind::ordinary},
    {"tokenizer", NameKind::ordinary},
    {"password_file", NameKind::ordinary},
    {"passwordless", NameKind::ordinary},
    {"password_hash", NameKind::ordinary},
    {"secretName", NameKind::ordinary},
    {"existingSecret", NameKind::ordinary},
    {"secretary", NameKind::ordinary},
    {"secret_arn", NameKind::ordinary},
    {"public_key", NameKind::ordinary},
    {"primary_key", NameKind::ordinary},
    {"cache_key", NameKind::ordinary},
    {"access_key_id", NameKind::ordinary},
    {"monkey", NameKind::ordinary},
    {"compass", NameKind::faint},
};

TEST_P(Names, AreJudgedByTheirWords) { EXPECT_EQ(kind_of_name(GetParam().name), GetParam().kind) << GetParam().name; }

TEST_P(Names, AreHintedAtWhenTheyAreNotOrdinary) {
  if (GetParam().kind == NameKind::ordinary) return;
  const std::string setting = "\"" + std::string(GetParam().name) + "\": x";
  EXPECT_TRUE(patterns().next_name_hint(setting, 0).has_value()) << setting;
  EXPECT_TRUE(patterns().holds_back_line(setting.substr(0, setting.find(' ')))) << setting;
}

TEST(KeysOfPairs, AreKnownByTheirLastWord) {
  for (const std::string_view key : {"value", "Value", "ParameterValue", "stringValue"}) EXPECT_TRUE(is_value_key(key));
  for (const std::string_view key : {"", "valueFrom", "values", "name"}) EXPECT_FALSE(is_value_key(key)) << key;
  for (const std::string_view key : {"name", "Name", "Key", "ParameterKey"}) EXPECT_TRUE(is_name_key(key)) << key;
  for (const std::string_view key : {"", "names", "value"}) EXPECT_FALSE(is_name_key(key)) << key;
}

TEST(OwnersOfKeys, AreWordsThatMakeAKeyASecret) {
  for (const std::string_view word : {"api", "API", "Access", "aws-api"}) EXPECT_TRUE(owns_secret_key(word)) << word;
  for (const std::string_view word : {"", "the", "partition", "cache", "signing", "public"})
    EXPECT_FALSE(owns_secret_key(word)) << word;
}

INSTANTIATE_TEST_SUITE_P(, Names, testing::ValuesIn(kRows));

}  // namespace
}  // namespace deputy::redact
