// The thread that keeps an eye on things: timers and signals.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <thread>

#include "boost/asio/executor_work_guard.hpp"
#include "boost/asio/io_context.hpp"
#include "boost/asio/signal_set.hpp"

namespace simpler::daemon {

// All functions may be called from any thread; what they are given runs on the control thread, one
// after the other, and must not wait.
class ControlThread {
 public:
  ControlThread();
  // Drops what has not run yet.
  ~ControlThread();

  void RunLater(std::chrono::milliseconds delay, std::function<void()> work);
  // Runs `work` again and again until it returns false.
  void RunEvery(std::chrono::milliseconds period, std::function<bool()> work);
  // Runs `work` with the number of each of these signals that arrives. Call at most once.
  void OnSignal(std::initializer_list<int> signals, std::function<void(int)> work);

 private:
  void WaitForSignal(std::function<void(int)> work);

  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  boost::asio::signal_set signals_;
  std::thread thread_;
};

}  // namespace simpler::daemon
