// Whether a question asks a person for a password, key or token. By what is asked for, not by a word: "Rotate the
// token now?" and "Which key metric?" are fine, "Paste the token" is not.
//
// It is a rule for honest models; what people type passes the redactor whatever was asked. To add a word: the tables in
// asks_for_secret.cpp, and a line in both tables of its test.
#pragma once

namespace deputy::interaction {

struct Question;

bool asks_for_secret(const Question& question);

}  // namespace deputy::interaction
