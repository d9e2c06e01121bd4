// Who may call.
#pragma once

#include <string>
#include <vector>

namespace rpcbench::permission {

// Who is let in, by patterns. A name is words with colons between them, "root:alice:phone". A pattern P matches a name
// N when P is "..." (everybody), when N is P, or when N begins with P and a colon; "P:$" matches P alone. not_in wins
// over in, and who is in neither is out.
class Permissions {
 public:
  // Throws std::invalid_argument where something is no pattern; the message is one sentence that names it.
  Permissions(std::vector<std::string> in, std::vector<std::string> not_in);

  bool allows(const std::string& name) const;

 private:
  std::vector<std::string> in_;
  std::vector<std::string> not_in_;
};

// The name that the URIs of a certificate give its holder, "rpcbench:NAME", percent-decoded: of exactly one. False is
// none.
bool name_of(const std::vector<std::string>& uris, std::string* name);

}  // namespace rpcbench::permission
