// What a worker can't do exactly as asked.
#pragma once

#include <stdexcept>
#include <string>

namespace rpcbench::control {

// Becomes a Fault: the field of the command, "serve.stack", and one sentence. The field is empty when none is to blame.
class FaultError : public std::runtime_error {
 public:
  FaultError(std::string field, const std::string& message) : std::runtime_error(message), field_(std::move(field)) {}

  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

// Refuses where something is wrong.
inline void refuse(bool wrong, const std::string& field, const std::string& message) {
  if (wrong) throw FaultError(field, message);
}

// Refuses where there is a reason to.
inline void refuse(const std::string& why, const std::string& field) { refuse(!why.empty(), field, why); }

}  // namespace rpcbench::control
