// Compiles Boost.Asio and Boost.JSON once: header-only they would cost every file, and as shared libraries they hide
// their branches from the fuzzers.
#include <boost/asio/impl/src.hpp>
#include <boost/json/src.hpp>
