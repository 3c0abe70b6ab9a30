#include "interaction/asks_for_secret.h"

#include <gtest/gtest.h>

#include "interaction/questions.h"

namespace deputy::interaction {
namespace {

Question free_text(std::string question, std::string label = "answer") {
  Question made;
  made.label = std::move(label);
  made.question = std::move(question);
  return made;
}

Question with_options(std::string question) {
  Question made = free_text(std::move(question));
  made.options.resize(2);
  made.options[0].label = "yes";
  made.options[1].label = "no";
  return made;
}

TEST(AsksForSecret, WhateverWayItIsAsked) {
  for (const char* const text : {
           "What is the database password?",
           "What's your password?",
           "Please enter your password.",
           "Password?",
           "Password:",
           "Please paste the API key here",
           "Provide an API token for Jira",
           "I need your AWS secret access key to continue.",
           "What is the access token?",
           "Could you share the credentials for staging?",
           "Send me the private key",
           "Enter the passphrase of the SSH key",
           "API token for Jira?",
           "Please give me the key.",
           "Paste the key",
           "Type the 6-digit MFA code",
           "What password should I use?",
           "Enter the client secret",
           "Tell me the PIN",
           "Your GitHub token",
           "Which repository is it? Also send the token.",
           "Please provide the pass\u200Bword",
           "Can you give me the password?",
           "Bitte das Passwort eingeben",
           "¿Cuál es la contraseña?",
           "What is the OTP?",
           "What is the value of DB_PASSWORD?",
           "Please provide your credentials",
           "Supply the bearer token to use",
           "Please paste the p\u0430ssw\u043Erd",          // Cyrillic a and o
           "Enter your \u0410PI t\u03BFken",               // Cyrillic A, Greek o
           "What is the \uFF54\uFF4F\uFF4B\uFF45\uFF4E?",  // full-width
           "Please paste the key file",
           "Paste the contents of the private key file",
           "Send me the pem",
           "What is the secret value?",
           "Give me the value of the token",
       }) {
    EXPECT_TRUE(asks_for_secret(free_text(text))) << text;
  }
}

TEST(AsksForSecret, AlsoBesideOptions) {
  EXPECT_TRUE(asks_for_secret(with_options("Please paste the API token, or choose:")));
  EXPECT_TRUE(asks_for_secret(with_options("What is the root password?")));
}

TEST(AsksForSecret, InALabelWhereTheAnswerIsFreeText) {
  EXPECT_TRUE(asks_for_secret(free_text("Value?", "password")));
  EXPECT_TRUE(asks_for_secret(free_text("Value?", "api_key")));
  EXPECT_TRUE(asks_for_secret(free_text("Value?", "jira token")));
  EXPECT_FALSE(asks_for_secret(free_text("Value?", "environment")));
}

TEST(AsksForSecret, ATalkAboutSecretsIsFine) {
  for (const char* const text : {
           "Rotate the token now?",
           "Should I reset the password for ana?",
           "Which key metric should I watch?",
           "What is the issue key?",
           "Which token should be revoked?",
           "What is the name of the secret?",
           "What is the ARN of the secret?",
           "What is the secret name?",
           "Which environment?",
           "Which service is affected?",
           "How many tokens may it use?",
           "What token limit should I set?",
           "What is the partition key of the table?",
           "Should the password policy change?",
           "Is the API key expired?",
           "Which key stakeholders should hear of it?",
           "What is the S3 object key?",
           "Where is the secret stored?",
           "Did the token expire?",
           "What happened to the token?",
           "What are the key points?",
           "What is the primary key?",
           "Which pipeline uses the deploy key?",
           "What should I monitor?",
           "Who owns the credentials?",
           "What is the project key in Jira?",
           "What error code did you see?",
           "Should I use the existing token?",
       }) {
    EXPECT_FALSE(asks_for_secret(free_text(text))) << text;
    EXPECT_FALSE(asks_for_secret(with_options(text))) << text;
  }
}

TEST(AsksForSecret, WhereOnlyOptionsCanBeChosenNobodyCanWriteOne) {
  Question question = with_options("What is the password?");
  question.allow_custom = false;
  EXPECT_FALSE(asks_for_secret(question));
}

}  // namespace
}  // namespace deputy::interaction
