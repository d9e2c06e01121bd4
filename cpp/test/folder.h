// Temporary folders.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

namespace rpcbench::test {

// A folder of a test's own, which is removed at the end.
class Folder {
 public:
  // Makes it with files, by their paths inside.
  explicit Folder(const std::map<std::string, std::string>& files = {}) {
    std::string made = (std::filesystem::temp_directory_path() / "rpcbench-XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr) throw std::runtime_error("no folder");
    path_ = made;
    for (const auto& [name, text] : files) {
      std::filesystem::create_directories((path_ / name).parent_path());
      std::ofstream(path_ / name) << text;
    }
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rpcbench::test
