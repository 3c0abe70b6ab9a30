// A name server under the test's control: getaddrinfo of this program asks it. "slow.test" is answered when the test
// says so, other names below "test" are this machine, everything else is looked up as ever.
#pragma once

namespace deputy::test {

/// How many look-ups of slow.test wait now.
int waiting_look_ups();

/// Answers them, and those to come.
void answer_look_ups();
/// Makes them wait again.
void hold_look_ups();

}  // namespace deputy::test
