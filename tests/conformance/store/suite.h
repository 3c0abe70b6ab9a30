// What every Store must do. An implementation gives a StoreFactory and a line in `implementations` (factories.cpp); the
// cases know nothing of it. No case moves a clock: what is over lies in the past, what is not lies in the future,
// and that nobody was up is written into the data by the factory.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/store.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy::store {

/// One set of data, and instances that share it.
class StoreFactory {
 public:
  virtual ~StoreFactory() = default;
  /// `reach` says which conversations the instance works for, by how their keys begin; none: all.
  virtual std::unique_ptr<Store> open(asio::io_context& loop, std::vector<std::string> reach) = 0;
  /// Ends an instance without a word, and returns once the others can know of it.
  virtual void kill(std::unique_ptr<Store> store) = 0;
  /// Makes the data look as if the last sign of any instance were so much older. Who is alive stays so.
  virtual void was_down_for(std::chrono::milliseconds time) = 0;
};

struct Implementation {
  std::string name;
  std::function<std::unique_ptr<StoreFactory>()> make;
};

/// All there are: every fixture is instantiated with them.
const std::vector<Implementation>& implementations();
std::string name_of(const testing::TestParamInfo<Implementation>& implementation);

class StoreTest : public testing::TestWithParam<Implementation>, protected test::OnLoop {
 protected:
  static constexpr const char* kThread = "slack:T1:C1:1.0";

  StoreTest() : factory_(GetParam().make()), store_(factory_->open(loop_, {})) {}

  std::unique_ptr<Store> another_instance(std::vector<std::string> reach = {}) {
    return factory_->open(loop_, std::move(reach));
  }
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

  std::unique_ptr<StoreFactory> factory_;
  std::unique_ptr<Store> store_;
};

}  // namespace deputy::store
