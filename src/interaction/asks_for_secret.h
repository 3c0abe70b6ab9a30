// Decides if a question asks a person for a password, key or token. It looks at what is asked for, not at single words:
// "Rotate the token now?" and "Which key metric?" are fine, "Paste the token" is not.
//
// This rule is for honest models; everything people type is redacted anyway. To add a word: the tables in
// asks_for_secret.cpp, and a line in both tables of its test.
#pragma once

namespace deputy::interaction {

struct Question;

bool asks_for_secret(const Question& question);

}  // namespace deputy::interaction
