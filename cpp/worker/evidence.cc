#include "worker/evidence.h"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "control/fault.h"

namespace rpcbench::worker {
namespace {

constexpr std::size_t kMaxPieceBytes = 1 << 20;

// Returns the state of glibc's allocator, in its own format.
std::string heap() {
  char* text = nullptr;
  std::size_t length = 0;
  FILE* stream = open_memstream(&text, &length);
  if (stream == nullptr) throw control::FaultError("dump.heap", "there is no memory for it");
  malloc_info(0, stream);
  std::fclose(stream);
  const std::unique_ptr<char, decltype(&std::free)> owned(text, &std::free);
  return {text, length};
}

}  // namespace

void Evidence::profile(bool end) {
  if (!end) {
    control::refuse(profile_ != nullptr, "profile", "a profile is already being recorded");
    profile_ = std::make_unique<host::Profile>();
    return;
  }
  control::refuse(profile_ == nullptr, "profile.end", "there is no profile to end");
  const std::unique_ptr<host::Profile> ending = std::move(profile_);
  send("cpu.folded", ending->end());
}

void Evidence::dump(bool with_heap) {
  send("threads.txt", host::thread_dump());
  if (with_heap) send("heap.xml", heap());
}

void Evidence::send(const std::string& name, const std::string& content) {
  for (std::size_t at = 0; at < content.size(); at += kMaxPieceBytes) {
    v1::Event event;
    event.mutable_piece()->set_name(name);
    event.mutable_piece()->set_data(content.substr(at, kMaxPieceBytes));
    events_.write(event);
  }
}

}  // namespace rpcbench::worker
