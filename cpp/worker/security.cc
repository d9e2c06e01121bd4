#include "worker/security.h"

#include "control/fault.h"

namespace rpcbench::worker {
namespace {

using control::refuse;

void check_pem(const std::string& field, const std::string& pem) {
  refuse(pem.find("-----BEGIN ") == std::string::npos, field, "it is not PEM");
}

std::shared_ptr<stack::Keys> keys_of(const v1::Security& security) {
  auto keys = std::make_shared<stack::Keys>();
  keys->ca = security.ca_pem();
  keys->cert = security.cert_pem();
  keys->key = security.key_pem();
  keys->server_name = security.server_name();
  keys->mutual = security.mode() == "mtls";
  return keys;
}

void check_own(const std::string& command, const stack::Keys& keys) {
  check_pem(command + ".security.cert_pem", keys.cert);
  check_pem(command + ".security.key_pem", keys.key);
}

}  // namespace

std::shared_ptr<const stack::Keys> keys_of_server(const v1::Security& security) {
  if (security.mode() == "plaintext") return nullptr;
  const auto keys = keys_of(security);
  check_own("serve", *keys);
  if (keys->mutual) check_pem("serve.security.ca_pem", keys->ca);
  return keys;
}

std::shared_ptr<const stack::Keys> keys_of_client(const v1::Security& security) {
  if (security.mode() == "plaintext") return nullptr;
  const auto keys = keys_of(security);
  check_pem("connect.security.ca_pem", keys->ca);
  refuse(keys->server_name.empty(), "connect.security.server_name",
         "it is empty, and the server's certificate has a name");
  if (keys->mutual) check_own("connect", *keys);
  return keys;
}

}  // namespace rpcbench::worker
