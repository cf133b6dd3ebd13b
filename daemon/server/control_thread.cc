#include "daemon/server/control_thread.h"

#include <memory>
#include <utility>

#include "boost/asio/post.hpp"
#include "boost/asio/steady_timer.hpp"

namespace simpler::daemon {

ControlThread::ControlThread()
    : guard_(boost::asio::make_work_guard(context_)),
      signals_(context_),
      thread_([this] { context_.run(); }) {}

ControlThread::~ControlThread() {
  context_.stop();
  thread_.join();
}

void ControlThread::RunLater(std::chrono::milliseconds delay, std::function<void()> work) {
  auto timer = std::make_shared<boost::asio::steady_timer>(context_, delay);
  timer->async_wait([timer, work = std::move(work)](const boost::system::error_code& error) {
    if (!error) work();
  });
}

void ControlThread::RunEvery(std::chrono::milliseconds period, std::function<bool()> work) {
  RunLater(period, [this, period, work = std::move(work)] {
    if (work()) RunEvery(period, work);
  });
}

void ControlThread::OnSignal(std::initializer_list<int> signals, std::function<void(int)> work) {
  for (const int signal : signals) signals_.add(signal);
  WaitForSignal(std::move(work));
}

void ControlThread::WaitForSignal(std::function<void(int)> work) {
  signals_.async_wait(
      [this, work = std::move(work)](const boost::system::error_code& error, int signal) {
        if (error) return;
        work(signal);
        WaitForSignal(work);
      });
}

}  // namespace simpler::daemon
