// The company: its services, and the chance that everything else is drawn from.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace deputy::demo {

enum class Format { java, json_numbers, logfmt, access, klog, syslog, json_stackdriver, python, epoch, bracketed };

struct DemoService {
  std::string key, full_name, type, description, tech_stack;
  std::vector<std::string> aliases;
  Format format = Format::python;
  std::vector<std::string> ordinary;  // messages; # is a number, @ an id
  std::vector<std::string> troubles;
};

const std::vector<DemoService>& services();

/// The same on every machine, unlike the standard's distributions.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t most) { return random_() % most; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  std::string hex(int digits);
  /// A message with its # and @ filled in.
  std::string fill(std::string_view message);

 private:
  std::mt19937_64 random_;
};

struct World {
  Timestamp now;
  std::uint64_t seed = 1;
};

}  // namespace deputy::demo
