// What every Store must do. An implementation gives a StoreFactory and instantiates StoreTest with it (factories.cpp);
// the cases know nothing of it. No case moves a clock: what is over lies in the past, what is not lies in the future.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "store/store.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy::store {

/// One set of data, and instances that share it.
class StoreFactory {
 public:
  virtual ~StoreFactory() = default;
  virtual std::unique_ptr<Store> open(asio::io_context& loop) = 0;
  /// Ends an instance without a word, and returns once the others can know of it.
  virtual void kill(std::unique_ptr<Store> store) = 0;
};

struct Implementation {
  std::string name;
  std::function<std::unique_ptr<StoreFactory>()> make;
};

class StoreTest : public testing::TestWithParam<Implementation> {
 protected:
  static constexpr const char* kThread = "slack:T1:C1:1.0";

  StoreTest() : factory_(GetParam().make()), store_(factory_->open(loop_)) {}

  template <class T>
  T await(Task<T> task) {
    return test::run_on(loop_, std::move(task));
  }

  /// The value of a Result that must not fail.
  template <class T>
  T must(Task<Result<T>> task) {
    Result<T> result = await(std::move(task));
    EXPECT_OK(result);
    if constexpr (!std::is_void_v<T>) return result ? *std::move(result) : T{};
  }

  std::unique_ptr<Store> another_instance() { return factory_->open(loop_); }
  void kill(std::unique_ptr<Store> store) { factory_->kill(std::move(store)); }

  static Timestamp now() { return SystemClock{}.now(); }
  static EntryRow entry(std::string kind, std::string body = "{}") {
    return {0, now(), std::move(kind), 1, std::move(body)};
  }

  /// A message that starts a run, in the state its conversation has now.
  RunId start_run(const std::string& conversation = kThread, std::string requester = "ana", Effects effects = {});
  NewRunRow new_run(std::string conversation = kThread, std::string requester = "ana");
  InboundRow message(std::string key, std::string conversation = kThread);

  Lease claim_only(Store& store, std::vector<RunId> except = {});
  Lease claim_only() { return claim_only(*store_); }

  /// Starts a run and takes it.
  Lease working_run(const std::string& conversation = kThread, std::string requester = "ana");

  Appended append(const Lease& lease, Seq seen, std::vector<EntryRow> entries, Effects effects = {},
                  If condition = If::unchanged);
  std::vector<std::string> kinds(RunId run);

  static NewInteractionRow approval(const Lease& lease, std::string conversation = kThread);
  static DeliveryRow delivery(std::string body, std::string conversation = kThread);

  asio::io_context loop_;
  std::unique_ptr<StoreFactory> factory_;
  std::unique_ptr<Store> store_;
};

}  // namespace deputy::store
