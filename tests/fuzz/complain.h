// How a fuzzer says that something does not hold: in words, and then the process ends, which is what libFuzzer sees.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string_view>

[[noreturn]] inline void complain(std::string_view what) {
  std::cerr << what << '\n';
  std::abort();
}

/// With the text that shows it.
[[noreturn]] inline void complain(std::string_view what, std::string_view text) {
  std::cerr << what << ": " << text << '\n';
  std::abort();
}
