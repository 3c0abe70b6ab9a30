// Word to a task that it is to stop. Boost 1.81 carries that word through the loop and reads the signal when it
// arrives: a signal that died with its owner meanwhile would be read after its end, so it is kept until the loop is
// done with it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <memory>

namespace deputy {

class Cancel {
 public:
  explicit Cancel(boost::asio::any_io_executor executor)
      : executor_(std::move(executor)), signal_(std::make_shared<boost::asio::cancellation_signal>()) {}

  /// For bind_cancellation_slot around the handler of co_spawn.
  boost::asio::cancellation_slot slot() { return signal_->slot(); }

  /// On the loop. A task that has ended already is not disturbed.
  void emit() {
    signal_->emit(boost::asio::cancellation_type::terminal);
    boost::asio::post(executor_, [kept = signal_] {});
  }

 private:
  boost::asio::any_io_executor executor_;
  std::shared_ptr<boost::asio::cancellation_signal> signal_;
};

}  // namespace deputy
