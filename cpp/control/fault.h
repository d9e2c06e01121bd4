// Errors about commands that a worker can't carry out exactly.
#pragma once

#include <stdexcept>
#include <string>

namespace rpcbench::control {

// Is reported as a Fault: the command's field, such as "serve.stack", and one sentence. The field is empty if no field
// is to blame.
class FaultError : public std::runtime_error {
 public:
  FaultError(std::string field, const std::string& message) : std::runtime_error(message), field_(std::move(field)) {}

  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

// Throws if wrong is true.
inline void refuse(bool wrong, const std::string& field, const std::string& message) {
  if (wrong) throw FaultError(field, message);
}

// Throws if there is a reason to refuse.
inline void refuse(const std::string& why, const std::string& field) { refuse(!why.empty(), field, why); }

}  // namespace rpcbench::control
