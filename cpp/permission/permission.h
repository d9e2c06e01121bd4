// Access control for callers.
#pragma once

#include <string>
#include <vector>

namespace rpcbench::permission {

// Decides by patterns who may call. A name consists of words separated by colons, such as "root:alice:phone". A pattern
// P matches a name N if P is "..." (everybody), if N is P, or if N begins with P and a colon; "P:$" matches only P.
// not_in takes precedence over in; a name in neither is denied.
class Permissions {
 public:
  // Throws std::invalid_argument if a pattern is invalid; the message is one sentence that names it.
  Permissions(std::vector<std::string> in, std::vector<std::string> not_in);

  bool allows(const std::string& name) const;

 private:
  std::vector<std::string> in_;
  std::vector<std::string> not_in_;
};

// Reads the holder's name from a certificate's URIs: from exactly one "rpcbench:NAME", percent-decoded. Returns false
// if there is none.
bool name_of(const std::vector<std::string>& uris, std::string* name);

}  // namespace rpcbench::permission
